import { isJsonObject, tryParseQuantity } from '@podwright/kube-types';

/** Fields whose values are quantities. */
const quantityMaps: ReadonlySet<string> = new Set(['requests', 'limits', 'allocatedResources']);

/**
 * Whether the API server would store both values alike: values that Go omits from JSON (null, empty texts, lists, maps
 * and structs, 0) equal absent ones, and quantities compare by value. Otherwise a status that the server has shortened
 * would look changed for ever. `member`: the field's name.
 */
export function sameValue(left: unknown, right: unknown, member = ''): boolean {
  if (left === right) return true;
  if (isEmpty(left)) return isEmpty(right);
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => sameValue(item, right[index]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
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

function sameQuantity(left: unknown, right: unknown): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  const [a, b] = [tryParseQuantity(left), tryParseQuantity(right)];
  return a !== undefined && b !== undefined && a.nano === b.nano;
}
