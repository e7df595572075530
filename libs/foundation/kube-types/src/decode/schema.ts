import type { SourceValue } from './source-value.js';

/**
 * What a zero value means for a field, which decides whether it survives decoding. In the API's Go types a field that is
 * no pointer cannot tell `""`, `0`, `false` and an empty list from absence.
 * - `dropped`: zero is absence (`omitempty`, no pointer)
 * - `kept`: zero is a value of its own (a pointer)
 * - `always`: present even when the document leaves it out (no `omitempty`)
 */
export type ZeroRule = 'dropped' | 'kept' | 'always';

/** A scalar was read, or is of the right type and has a bad value. */
export type ScalarReading = { readonly value: unknown } | { readonly fault: string };

export interface ScalarSchema {
  readonly kind: 'scalar';
  /** Completes `expected ...` in a fault. */
  readonly expected: string;
  readonly zero: unknown;
  readonly rule: ZeroRule;
  /** undefined: the value has the wrong type. */
  readonly read: (value: SourceValue) => ScalarReading | undefined;
}
export interface ListSchema {
  readonly kind: 'list';
  readonly item: Schema;
  readonly rule: ZeroRule;
}
export interface MapSchema {
  readonly kind: 'map';
  readonly value: Schema;
  readonly rule: ZeroRule;
}
export interface ObjectSchema {
  readonly kind: 'object';
  readonly fields: Fields;
  readonly rule: ZeroRule;
}
export interface AnySchema {
  readonly kind: 'any';
  readonly rule: ZeroRule;
}
export type Schema = ScalarSchema | ListSchema | MapSchema | ObjectSchema | AnySchema;
export type Fields = Readonly<Record<string, Schema>>;

/** A struct; the keys of a document must be among `fields`. An empty one (`emptyDir: {}`) is kept. */
export function object(fields: Fields): ObjectSchema {
  return { kind: 'object', fields, rule: 'kept' };
}
export function list(item: Schema): ListSchema {
  return { kind: 'list', item, rule: 'dropped' };
}
export function map(value: Schema): MapSchema {
  return { kind: 'map', value, rule: 'dropped' };
}
/** Anything, unchecked: for parts that are carried but never read. */
export const anything: AnySchema = { kind: 'any', rule: 'kept' };

/** A pointer in the Go type: zero is kept. */
export function pointer<T extends Schema>(schema: T): T {
  return { ...schema, rule: 'kept' };
}
/** Not optional in the Go type: zero is filled in. */
export function always<T extends Schema>(schema: T): T {
  return { ...schema, rule: 'always' };
}

export function scalar(definition: Omit<ScalarSchema, 'kind' | 'rule'>): ScalarSchema {
  return { kind: 'scalar', rule: 'dropped', ...definition };
}
