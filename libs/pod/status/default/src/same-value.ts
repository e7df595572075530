import { deepEqual } from '@podwright/kube-types';

/**
 * Equal as the API server would store them: what Go leaves out of JSON (null, empty texts, lists, maps and structs, 0) is
 * the same as absent, and quantities count by value. Without it a status that the server has shortened looks changed for ever.
 */
export function sameValue(left: unknown, right: unknown): boolean {
  return left === right || deepEqual(stripped(left), stripped(right));
}

function stripped(value: unknown): unknown {
  if (value === null || value === '' || value === 0) return undefined;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(stripped);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const kept = stripped(member);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
