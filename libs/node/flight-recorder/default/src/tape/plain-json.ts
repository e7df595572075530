import { lastApplied } from '../redact/mask-pod.js';
import { placeholder } from '../redact/placeholder.js';

// The CRI has bigints and bytes, which JSON does not.
interface MarkedBigint {
  readonly $n: string;
}
interface MarkedBytes {
  readonly $b: string;
}

/** JSON of a value that may hold bigints and bytes; `undefined` members are left out, and what kubectl has applied. */
export function toPlainJson(value: unknown): string {
  return JSON.stringify(value, mark) ?? 'null';
}

/** The inverse of {@link toPlainJson}, for a value that JSON.parse gave. */
export function fromPlainJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(fromPlainJson);
  const { $n, $b } = value as Partial<MarkedBigint & MarkedBytes>;
  if (typeof $n === 'string') return BigInt($n);
  if (typeof $b === 'string') return new Uint8Array(Buffer.from($b, 'base64'));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fromPlainJson(member)]));
}

function mark(this: unknown, name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { $n: String(value) } satisfies MarkedBigint;
  if (name === lastApplied && typeof value === 'string') return placeholder(value.length);
  if (typeof value !== 'object' || value === null) return value;
  // Buffer has a toJSON of its own, so the value from before it counts.
  const own = (this as Readonly<Record<string, unknown>>)[name];
  if (own instanceof Uint8Array) return { $b: Buffer.from(own).toString('base64') } satisfies MarkedBytes;
  return value;
}
