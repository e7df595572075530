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
  return JSON.stringify(marked('', value)) ?? 'null';
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

// JSON.stringify is several times slower with a function that replaces each value, and most have nothing to replace.
function marked(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { $n: String(value) } satisfies MarkedBigint;
  if (name === lastApplied && typeof value === 'string') return placeholder(value.length);
  if (typeof value !== 'object' || value === null) return value;
  // Before toJSON, of which Buffer has its own.
  if (value instanceof Uint8Array) return { $b: Buffer.from(value).toString('base64') } satisfies MarkedBytes;
  const { toJSON } = value as { readonly toJSON?: unknown };
  const plain: unknown = typeof toJSON === 'function' ? toJSON.call(value, name) : value;
  if (plain !== value) return marked(name, plain);
  if (Array.isArray(value)) return value.map((member) => marked('', member));
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    const replaced = marked(key, member);
    if (replaced !== member) (copy ??= { ...value })[key] = replaced;
  }
  return copy ?? value;
}
