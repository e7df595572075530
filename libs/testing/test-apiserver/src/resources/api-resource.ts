/** Enough to name a resource in messages. */
export interface GroupResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly plural: string;
}

/** One row of the server's resource table. */
export interface ApiResource extends GroupResource {
  readonly version: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Served below the name, `status` for instance. */
  readonly subresources: readonly string[];
  /** Only `create` is served and nothing is stored: reviews. */
  readonly virtual: boolean;
}

/** `pods` or `leases.coordination.k8s.io`: the key of a resource in the store, the same for all its versions. */
export function resourceKey({ group, plural }: GroupResource): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** `v1` or `coordination.k8s.io/v1`. */
export function groupVersion({ group, version }: Pick<ApiResource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}
