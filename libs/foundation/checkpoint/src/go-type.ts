/**
 * A Go type, as far as checkpoints need it: it defines the text dump and the JSON of its values. `name` is the type as
 * `%T` prints it, such as `state.NUMANodeMap` or `map[string]string`.
 */
export type GoType = GoScalar | GoStruct | GoMap | GoSlice | GoPointer | GoMarshaled;

/** A string, number or bool. A missing value is the zero value. */
export interface GoScalar {
  readonly kind: 'string' | 'number' | 'bool';
  readonly name: string;
}

export interface GoStruct {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: readonly GoField[];
}

export interface GoField {
  /** Go name, in the dump. */
  readonly name: string;
  /** Name in JSON and in our objects. */
  readonly key: string;
  readonly type: GoType;
  /** Whether the JSON omits the field when it is empty. */
  readonly omitEmpty?: boolean;
}

/** A map; its value is an object by key, or `undefined` or `null` for the nil map. */
export interface GoMap {
  readonly kind: 'map';
  readonly name: string;
  readonly value: GoType;
  /** Sort keys as numbers. Default: as text, byte by byte. */
  readonly numericKeys?: boolean;
}

/** A slice; its value is an array, or a Uint8Array for `[]byte`, or `undefined` or `null` for the nil slice. */
export interface GoSlice {
  readonly kind: 'slice';
  readonly name: string;
  readonly element: GoType;
}

/** A pointer; `undefined` and `null` are the nil pointer. */
export interface GoPointer {
  readonly kind: 'pointer';
  readonly to: GoType;
}

/** A type whose JSON differs from its dump, such as a CPU set: text in JSON, a struct in the dump. */
export interface GoMarshaled {
  readonly kind: 'marshaled';
  readonly type: GoType;
  /** Converts the JSON value to a value of `type`. Throws an Error when it is malformed. */
  readonly fromJson: (value: unknown) => unknown;
}

/** The name of any type, with `*` in front for a pointer. */
export function goTypeName(type: GoType): string {
  if (type.kind === 'marshaled') return goTypeName(type.type);
  return type.kind === 'pointer' ? `*${goTypeName(type.to)}` : type.name;
}

export const goString: GoScalar = { kind: 'string', name: 'string' };
export const goBool: GoScalar = { kind: 'bool', name: 'bool' };
export const goInt: GoScalar = { kind: 'number', name: 'int' };
export const goUint64: GoScalar = { kind: 'number', name: 'uint64' };
/** The type of the checksum field in upstream's checkpoints. */
export const goChecksum: GoScalar = { kind: 'number', name: 'checksum.Checksum' };
