/**
 * A parsed document before its schema is applied: JSON values, with bigints for integers beyond 2^53. Objects have no
 * prototype, so that `__proto__` is a key like any other.
 */
export type SourceValue = null | boolean | number | bigint | string | readonly SourceValue[] | SourceObject;
export interface SourceObject {
  readonly [key: string]: SourceValue;
}

/** One fault of a document. `path` is a field path such as `spec.containers[0].image`. */
export interface DecodeFault {
  readonly kind: 'duplicate-key' | 'unknown-field' | 'further-document' | 'type';
  readonly path: string;
  readonly message: string;
}

/** A document and its duplicate keys as faults; the last of two equal keys wins, as in Go. */
export interface SourceDocument {
  readonly value: SourceValue;
  readonly faults: readonly DecodeFault[];
}

/** The deepest nesting; it bounds the recursion, and no real object comes near it. */
export const maxDepth = 100;

export function isSourceObject(value: SourceValue): value is SourceObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The path of a field: `a.b`, or `a[b/c]` when the key is no plain name, as upstream's field.Path. */
export function childPath(parent: string, key: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(key)) return parent === '' ? key : `${parent}.${key}`;
  return `${parent}[${key.length > 80 ? `${key.slice(0, 80)}...` : key}]`;
}

/** The value for a message, shortened: `5 (number)`, `"x" (string)`, `null`. */
export function describeValue(value: SourceValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return `${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value)} (string)`;
  return `${String(value)} (${typeof value === 'bigint' ? 'number' : typeof value})`;
}

/** As {@link describeValue} of a whole document, without its text: the file may be a link to something secret. */
export function describeDocument(value: SourceValue): string {
  if (value === null || typeof value === 'object') return describeValue(value);
  return `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
}

/** The fault's message with its path. */
export function formatFault(fault: DecodeFault): string {
  return fault.path === '' ? fault.message : `${fault.path}: ${fault.message}`;
}
