import type { GroupResource } from '@podwright/api-machinery';

/** One resource that the server serves. */
export interface ApiResource extends GroupResource {
  readonly version: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The names of its subresources, such as `status`. */
  readonly subresources: readonly string[];
  /** True for a review, which only supports `create` and is not stored. */
  readonly virtual: boolean;
}

/** `v1` or `coordination.k8s.io/v1`. */
export function groupVersion({ group, version }: Pick<ApiResource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}
