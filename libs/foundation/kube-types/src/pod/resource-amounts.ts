import type { Quantity } from '../quantity/quantity.js';
import { parseQuantity } from '../quantity/quantity.js';
import { addQuantities, compareQuantities } from '../quantity/quantity-values.js';
import { formatQuantity } from '../quantity/format-quantity.js';

/** Resource name -> quantity as text, as in an API object. */
export type ResourceList = Readonly<Record<string, string>>;
/** Resource name -> parsed quantity. */
export type ResourceAmounts = Readonly<Record<string, Quantity>>;

export function parseResources(list: ResourceList | undefined): ResourceAmounts {
  if (list === undefined) return {};
  return Object.fromEntries(Object.entries(list).map(([name, text]) => [name, parseQuantity(text)]));
}

export function formatResources(amounts: ResourceAmounts): ResourceList {
  return Object.fromEntries(Object.entries(amounts).map(([name, quantity]) => [name, formatQuantity(quantity)]));
}

export function addResources(a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts {
  return combine(a, b, addQuantities);
}

/** The larger of both amounts for each resource. */
export function maxResources(a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts {
  return combine(a, b, (x, y) => (compareQuantities(y, x) > 0 ? y : x));
}

function combine(
  a: ResourceAmounts,
  b: ResourceAmounts,
  merge: (x: Quantity, y: Quantity) => Quantity,
): ResourceAmounts {
  const names = Object.keys(b);
  if (names.length === 0) return a;
  const result: Record<string, Quantity> = { ...a };
  for (const name of names) {
    const [x, y] = [result[name], b[name]];
    if (y !== undefined) result[name] = x === undefined ? y : merge(x, y);
  }
  return result;
}
