import { formatQuantity } from '../quantity/format-quantity.js';
import { quantityFormatMessage, tryParseQuantity } from '../quantity/quantity.js';
import type { ScalarReading, ScalarSchema } from './schema.js';
import { map, pointer, scalar } from './schema.js';
import type { SourceValue } from './source-value.js';

export const string = scalar({
  expected: 'string',
  zero: '',
  read: (value) => (typeof value === 'string' ? { value } : undefined),
});

export const bool = scalar({
  expected: 'boolean',
  zero: false,
  read: (value) => (typeof value === 'boolean' ? { value } : undefined),
});

/** A number with a fraction. */
export const float64 = scalar({
  expected: 'number',
  zero: 0,
  read: (value) => (typeof value === 'number' || typeof value === 'bigint' ? { value: Number(value) } : undefined),
});

function integer(low: bigint, high: bigint): ScalarSchema {
  return scalar({
    expected: 'integer',
    zero: 0,
    read(value): ScalarReading | undefined {
      if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
      if (typeof value === 'number' && !Number.isInteger(value)) return undefined;
      const exact = BigInt(value);
      if (exact < low || exact > high) return { fault: `${exact} is out of range, must be between ${low} and ${high}` };
      // A JSON number in JavaScript is a double; a value that it would round is refused rather than changed.
      if (typeof value === 'bigint' && !Number.isSafeInteger(Number(value))) {
        return { fault: `${exact} is out of range, must be within ±${Number.MAX_SAFE_INTEGER}` };
      }
      return { value: Number(value) };
    },
  });
}

export const int32 = integer(-(2n ** 31n), 2n ** 31n - 1n);
export const int64 = integer(-(2n ** 63n), 2n ** 63n - 1n);
export const uint32 = integer(0n, 2n ** 32n - 1n);

/** Port number or name. */
export const intOrString: ScalarSchema = {
  ...int32,
  rule: 'always',
  expected: 'integer or string',
  read: (value) => (typeof value === 'string' ? { value } : int32.read(value)),
};

/** RFC 3339 time stamp; kept as text. */
export const time = scalar({
  expected: 'time stamp (string)',
  zero: '',
  read(value) {
    if (typeof value !== 'string') return undefined;
    if (/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value)) return { value };
    return { fault: `${JSON.stringify(value)} is not an RFC 3339 time stamp` };
  },
});

function readQuantity(value: SourceValue): ScalarReading | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const text = typeof value === 'string' ? value.trim() : String(value).replace('e+', 'e');
  const quantity = tryParseQuantity(text);
  return quantity === undefined
    ? { fault: `${quantityFormatMessage}, got ${JSON.stringify(text)}` }
    : { value: formatQuantity(quantity) };
}

/** Text or number; comes out in canonical form. */
export const quantity = pointer(scalar({ expected: 'quantity (string or number)', zero: '0', read: readQuantity }));

/** Map of texts: labels, annotations and the like. */
export const strings = map(string);
/** Map of quantities: requests, limits. */
export const quantities = map(quantity);
