import { tryParseQuantity } from './quantity/quantity.js';

/** Fields whose value is a quantity, and fields that map names to quantities. */
const quantityFields = new Set(['sizeLimit', 'divisor']);
const quantityMaps = new Set(['limits', 'requests', 'overhead', 'allocatedResources', 'capacity', 'allocatable']);
/** Fields that are maps in the API: an empty map equals an absent one. An empty struct (`emptyDir: {}`) does not. */
const maps = new Set([
  ...quantityMaps,
  'labels',
  'annotations',
  'nodeSelector',
  'matchLabels',
  'volumeAttributes',
  'options',
  'userAnnotations',
  'data',
  'stringData',
  'binaryData',
]);

/**
 * Semantic equality of two JSON values, as upstream's apiequality.Semantic: absent, null and an empty list or map are
 * equal, quantities compare by value, everything else by content. Comparing objects that share most of their parts is
 * cheap, because identical parts are not compared further.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  return equal(a, b, '', '');
}

function equal(a: unknown, b: unknown, field: string, parent: string): boolean {
  if (a === b) return true;
  if (typeof a === 'string' && typeof b === 'string') {
    return (quantityFields.has(field) || quantityMaps.has(parent)) && sameQuantity(a, b);
  }
  if (isEmpty(a, field)) return isEmpty(b, field);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item: unknown, index) => equal(item, b[index], '', ''));
  }
  return sameFields(a, b, field);
}

function sameFields(a: object, b: object, parent: string): boolean {
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  for (const key of Object.keys(left)) {
    if (!equal(left[key], Object.hasOwn(right, key) ? right[key] : undefined, key, parent)) return false;
  }
  return Object.keys(right).every((key) => Object.hasOwn(left, key) || isEmpty(right[key], key));
}

function isEmpty(value: unknown, field: string): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && maps.has(field) && Object.keys(value).length === 0;
}

function sameQuantity(a: string, b: string): boolean {
  const [x, y] = [tryParseQuantity(a), tryParseQuantity(b)];
  return x !== undefined && y !== undefined && x.nano === y.nano;
}
