import type { Quantity } from './quantity.js';
import { parseQuantity } from './quantity.js';

const nanoPerUnit = 1_000_000_000n;
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];

/** The canonical text of Go's resource.Quantity: no fraction, and the largest suffix that loses no precision. */
export function formatQuantity(quantity: Quantity): string {
  const { nano, format } = quantity;
  if (nano === 0n) return '0';
  if (format === 'BinarySI') {
    const units = nano / nanoPerUnit;
    const isWhole = nano % nanoPerUnit === 0n;
    if (isWhole && (units <= -1024n || units >= 1024n)) return formatBinary(units);
  }
  let mantissa = nano;
  let thousands = 0;
  while (mantissa % 1000n === 0n && thousands < decimalSuffixes.length - 1) {
    mantissa /= 1000n;
    thousands += 1;
  }
  if (format !== 'DecimalExponent') return `${mantissa}${decimalSuffixes[thousands] ?? ''}`;
  const exponent = thousands * 3 - 9;
  return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
}

function formatBinary(units: bigint): string {
  let mantissa = units;
  let power = 0;
  while (mantissa % 1024n === 0n && power < binarySuffixes.length - 1) {
    mantissa /= 1024n;
    power += 1;
  }
  return `${mantissa}${binarySuffixes[power] ?? ''}`;
}

/**
 * Rewrites a quantity in canonical form: `0.5` -> `500m`, `1024Mi` -> `1Gi`. @throws KubeletError `invalid-argument`.
 */
export function canonicalQuantity(text: string): string {
  return formatQuantity(parseQuantity(text));
}
