import type { ResourceAttributes } from './attributes.js';

/** A right of a user or a group in all namespaces, like one rule of a ClusterRole with its binding. */
export interface Grant {
  /** The name of a user or of a group. */
  readonly to: { readonly user: string } | { readonly group: string };
  /** `*` for all. */
  readonly verbs: readonly string[];
  /** Default: empty, the core group. */
  readonly apiGroup?: string;
  /** As in a role: `pods`, `nodes/metrics`. */
  readonly resources: readonly string[];
}

/** True when one of the grants allows the request. */
export function granted(grants: readonly Grant[], asked: ResourceAttributes): boolean {
  const { user, verb, group, plural, subresource } = asked;
  const resource = subresource === '' ? plural : `${plural}/${subresource}`;
  return grants.some(
    ({ to, verbs, apiGroup = '', resources }) =>
      ('user' in to ? to.user === user.name : user.groups.includes(to.group)) &&
      (verbs.includes(verb) || verbs.includes('*')) &&
      apiGroup === group &&
      resources.includes(resource),
  );
}
