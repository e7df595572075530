import type { SourceValue } from './source-value.js';

/**
 * Whether decoding keeps the zero value of a field (`""`, `0`, `false`, an empty list). In the API's Go types, a field
 * that is not a pointer cannot distinguish it from absence.
 * - `dropped`: zero means absence (`omitempty`, not a pointer)
 * - `kept`: zero is a value (a pointer)
 * - `always`: the field is present even when the document leaves it out (no `omitempty`)
 */
export type ZeroRule = 'dropped' | 'kept' | 'always';

/** The value of a scalar, or the fault of a bad value that has the right type. */
export type ScalarReading = { readonly value: unknown } | { readonly fault: string };

export interface ScalarSchema {
  readonly kind: 'scalar';
  /** The type's name in a fault: `expected <name>, got ...`. */
  readonly expected: string;
  readonly zero: unknown;
  readonly rule: ZeroRule;
  /** The fault of null in a field that is no pointer, for a Go type that cannot read null. Absent: null is no value. */
  readonly nullFault?: string;
  /** Returns undefined when the value has the wrong type. */
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

/** A struct; a document may have only the keys in `fields`. An empty struct (`emptyDir: {}`) is kept. */
export function object(fields: Fields): ObjectSchema {
  return { kind: 'object', fields, rule: 'kept' };
}
export function list(item: Schema): ListSchema {
  return { kind: 'list', item, rule: 'dropped' };
}
export function map(value: Schema): MapSchema {
  return { kind: 'map', value, rule: 'dropped' };
}
/** Any value, unchecked: for parts that the kubelet never reads. */
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
