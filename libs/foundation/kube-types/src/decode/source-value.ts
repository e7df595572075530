/**
 * A parsed document before its meaning is known: JSON values, where an integer beyond 2^53 is a bigint. Objects have no
 * prototype, so that a key such as `__proto__` is a key like any other.
 */
export type SourceValue = null | boolean | number | bigint | string | readonly SourceValue[] | SourceObject;
export interface SourceObject {
  readonly [key: string]: SourceValue;
}

/** What is wrong with a document at one place. `path` is a field path such as `spec.containers[0].image`. */
export interface DecodeFault {
  readonly kind: 'duplicate-key' | 'unknown-field' | 'type';
  readonly path: string;
  readonly message: string;
}

/** A document with the duplicate keys that were met; of two equal keys the last counts, as in Go. */
export interface SourceDocument {
  readonly value: SourceValue;
  readonly faults: readonly DecodeFault[];
}

/** Deeper nesting than any real object; a bound for the recursion. */
export const maxDepth = 100;

export function isSourceObject(value: SourceValue): value is SourceObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `a.b`, or `a[b/c]` when the key would blur the path, as upstream's field.Path. */
export function childPath(parent: string, key: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(key)) return parent === '' ? key : `${parent}.${key}`;
  return `${parent}[${key.length > 80 ? `${key.slice(0, 80)}...` : key}]`;
}

/** `5 (number)`, `"x" (string)`, `null`: the value as a person recognises it, cut to a readable length. */
export function describeValue(value: SourceValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return `${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value)} (string)`;
  return `${String(value)} (${typeof value === 'bigint' ? 'number' : typeof value})`;
}

/** The fault text with its place, ready for a person. */
export function formatFault(fault: DecodeFault): string {
  return fault.path === '' ? fault.message : `${fault.path}: ${fault.message}`;
}
