import type { Quantity, QuantityFormat } from './quantity.js';
import { parseQuantity } from './quantity.js';

/** A quantity as text or parsed; undefined counts as zero. */
export type QuantityLike = string | Quantity | undefined;

const nanoPerUnit = 1_000_000_000n;
const nanoPerMilli = 1_000_000n;

function nanoOf(quantity: QuantityLike): bigint {
  if (quantity === undefined) return 0n;
  return typeof quantity === 'string' ? parseQuantity(quantity).nano : quantity.nano;
}

/** Rounds away from zero, as Go's Quantity.ScaledValue. */
function divideAway(value: bigint, divisor: bigint): bigint {
  return value >= 0n ? (value + divisor - 1n) / divisor : -((-value + divisor - 1n) / divisor);
}

/**
 * Whole units (bytes, counts), rounded away from zero. @throws KubeletError `invalid-argument` for text that is no
 * quantity.
 */
export function quantityValue(quantity: QuantityLike): bigint {
  return divideAway(nanoOf(quantity), nanoPerUnit);
}

/** Thousandths (milliCPU), rounded away from zero. Exact up to 2^53 thousandths. */
export function quantityToMilli(quantity: QuantityLike): number {
  return Number(divideAway(nanoOf(quantity), nanoPerMilli));
}

/**
 * Bytes or other whole units, rounded away from zero. Exact up to 2^53 (8 PiB); {@link quantityValue} is always exact.
 */
export function quantityToBytes(quantity: QuantityLike): number {
  return Number(quantityValue(quantity));
}

/** The value as a floating-point number, for percentages and metrics. */
export function quantityToNumber(quantity: QuantityLike): number {
  return Number(nanoOf(quantity)) / 1e9;
}

/** -1, 0 or 1 as `a` is less than, equal to or more than `b`. */
export function compareQuantities(a: QuantityLike, b: QuantityLike): number {
  const difference = nanoOf(a) - nanoOf(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The sum, in the notation of `a`, or of `b` when `a` is zero, as Go's Quantity.Add. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format };
}

/** `a - b` in the notation of `a`, or of `b` when `a` is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano - b.nano, format: a.nano === 0n ? b.format : a.format };
}

export function quantityFromMilli(milli: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { nano: BigInt(milli) * nanoPerMilli, format };
}

/** The quantity of a whole number of units, such as bytes. */
export function quantityFromUnits(units: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { nano: BigInt(units) * nanoPerUnit, format };
}

/** Rounds away from zero to thousandths, as the API server does with every entry of a resource list. */
export function roundUpToMilli(quantity: Quantity): Quantity {
  return { nano: divideAway(quantity.nano, nanoPerMilli) * nanoPerMilli, format: quantity.format };
}
