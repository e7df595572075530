import { KubeletError } from '@podwright/errors';

/** The notation of a quantity, which parsing keeps and formatting uses; as Go's resource.Format. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/**
 * An exact quantity of `nano` billionths. Values are capped at 2^63-1 units, and fractions of a billionth are rounded
 * away from zero. Source: kubernetes v1.36 apimachinery pkg/api/resource/quantity.go.
 */
export interface Quantity {
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

const nanoPerUnit = 1_000_000_000n;
const maxNano = (2n ** 63n - 1n) * nanoPerUnit;
const syntax = /^([+-]?)(\d+\.?\d*|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/;
/**
 * A larger exponent gives the smallest or the largest value anyway; the bound keeps `1e999999999` from filling the
 * memory.
 */
const maxExponent = 40;
/** Longer text is hostile: the cost of parsing a bigint grows with the square of its digits. */
const maxLength = 512;

const binary: Readonly<Record<string, bigint>> = {
  Ki: 1024n,
  Mi: 1024n ** 2n,
  Gi: 1024n ** 3n,
  Ti: 1024n ** 4n,
  Pi: 1024n ** 5n,
  Ei: 1024n ** 6n,
};
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** Upstream's wording for text that is no quantity. */
export const quantityFormatMessage =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Parses `100m`, `1.5Gi`, `2e3`; undefined when the text is no quantity. */
export function tryParseQuantity(text: string): Quantity | undefined {
  const match = text.length > maxLength ? null : syntax.exec(text);
  if (match === null) return undefined;
  const [, sign, number = '', suffix = ''] = match;
  const point = number.indexOf('.');
  const digits = BigInt(point < 0 ? number : number.slice(0, point) + number.slice(point + 1) || '0');
  const fraction = point < 0 ? 0 : number.length - point - 1;
  const factor = binary[suffix];
  const exponent = factor !== undefined ? 0 : decimalExponent(suffix);
  const nano = cap(scale(digits * (factor ?? 1n), exponent + 9 - fraction));
  // As upstream: a binary quantity below one unit becomes decimal (0.5Ki is 512, but 0.0001Ki is a fraction).
  const isBinary = factor !== undefined && (nano === 0n || nano >= nanoPerUnit);
  const isExponent = /^[eE]/.test(suffix) && suffix.length > 1;
  return {
    nano: sign === '-' ? -nano : nano,
    format: isBinary ? 'BinarySI' : isExponent ? 'DecimalExponent' : 'DecimalSI',
  };
}

/** As {@link tryParseQuantity}. @throws KubeletError `invalid-argument` naming the text. */
export function parseQuantity(text: string): Quantity {
  const quantity = tryParseQuantity(text);
  if (quantity === undefined) {
    throw new KubeletError(`${quantityFormatMessage}, got ${JSON.stringify(text)}`, { code: 'invalid-argument' });
  }
  return quantity;
}

function decimalExponent(suffix: string): number {
  if (suffix.length > 1) return Math.max(-maxExponent, Math.min(maxExponent, Number(suffix.slice(1))));
  return decimal[suffix] ?? 0;
}

/** digits x 10^exponent, rounded up. */
function scale(digits: bigint, exponent: number): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (digits + divisor - 1n) / divisor;
}

function cap(nano: bigint): bigint {
  return nano > maxNano ? maxNano : nano;
}
