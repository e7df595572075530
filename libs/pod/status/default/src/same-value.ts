import { tryParseQuantity } from '@podwright/kube-types';

/** Members whose values are quantities. */
const quantityMaps: ReadonlySet<string> = new Set(['requests', 'limits', 'allocatedResources']);

/**
 * Equal as the API server would store them: what Go leaves out of JSON (null, empty texts, lists, maps and structs, 0) is
 * the same as absent, and quantities count by value. Without it a status that the server has shortened looks changed for ever.
 * `member` is the name under which both values stand.
 */
export function sameValue(left: unknown, right: unknown, member = ''): boolean {
  if (left === right) return true;
  if (isEmpty(left)) return isEmpty(right);
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => sameValue(item, right[index]))
    );
  }
  if (!isMap(left) || !isMap(right)) return false;
  const quantities = quantityMaps.has(member);
  for (const name of Object.keys(left)) {
    const [a, b] = [left[name], right[name]];
    if (!sameValue(a, b, name) && !(quantities && sameQuantity(a, b))) return false;
  }
  for (const name of Object.keys(right)) if (!Object.hasOwn(left, name) && !isEmpty(right[name])) return false;
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isEmpty);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sameQuantity(left: unknown, right: unknown): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  const [a, b] = [tryParseQuantity(left), tryParseQuantity(right)];
  return a !== undefined && b !== undefined && a.nano === b.nano;
}
