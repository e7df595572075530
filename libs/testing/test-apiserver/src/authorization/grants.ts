import type { ResourceAttributes } from './attributes.js';

/** What a user or a group may do beside what everybody may: one rule of a role with its binding, over all namespaces. */
export interface Grant {
  /** Name of a user, or of a group. */
  readonly to: { readonly user: string } | { readonly group: string };
  /** `*` for all. */
  readonly verbs: readonly string[];
  /** Empty, the default, for the core group. */
  readonly apiGroup?: string;
  /** As in a role: `pods`, `nodes/metrics`. */
  readonly resources: readonly string[];
}

/** True when one of the grants covers it. */
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
