import { formatQuantity, quantityFormatMessage, tryParseQuantity } from '@podwright/kube-types';
import { parseRfc3339 } from '@podwright/time';
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
      // A JavaScript number is a double; a value that it would round is a fault, not silently changed.
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

/** A port number or name. */
export const intOrString: ScalarSchema = {
  ...int32,
  rule: 'always',
  expected: 'integer or string',
  read: (value) => (typeof value === 'string' ? { value } : int32.read(value)),
};

/** An RFC 3339 timestamp; the decoded value stays text. */
export const time = scalar({
  expected: 'time stamp (string)',
  zero: '',
  read(value) {
    if (typeof value !== 'string') return undefined;
    if (parseRfc3339(value) !== undefined) return { value };
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

/** A quantity as text or number; the decoded value is text in canonical form. */
export const quantity = pointer(scalar({ expected: 'quantity (string or number)', zero: '0', read: readQuantity }));

/** A map of strings, such as labels and annotations. */
export const strings = map(string);
/** A map of quantities: requests, limits. */
export const quantities = map(quantity);
