/** The group and plural name of a resource. */
export interface GroupResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly plural: string;
}

/** `pods` or `leases.coordination.k8s.io`. */
export function qualified({ group, plural }: GroupResource): string {
  return group === '' ? plural : `${plural}.${group}`;
}
