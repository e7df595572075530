/**
 * Shape of a Go value, as far as checkpoints need it: what its text dump and its JSON look like. `name` is the Go type as
 * `%T` prints it, such as `state.NUMANodeMap` or `map[string]string`.
 */
export type GoType = GoScalar | GoStruct | GoMap | GoSlice | GoPointer | GoMarshaled;

/** String, number or bool. A missing one is the zero value. */
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
  /** Left out of the JSON when it is empty. */
  readonly omitEmpty?: boolean;
}

/** Held as an object by key; `undefined` and `null` are the nil map. */
export interface GoMap {
  readonly kind: 'map';
  readonly name: string;
  readonly value: GoType;
  /** Sort keys as numbers. Default: as text, byte by byte. */
  readonly numericKeys?: boolean;
}

/** Held as an array, or as a Uint8Array for `[]byte`; `undefined` and `null` are the nil slice. */
export interface GoSlice {
  readonly kind: 'slice';
  readonly name: string;
  readonly element: GoType;
}

/** `undefined` and `null` are the nil pointer. */
export interface GoPointer {
  readonly kind: 'pointer';
  readonly to: GoType;
}

/** A type with a JSON form of its own, such as a CPU set: a text in JSON, a struct in the dump. */
export interface GoMarshaled {
  readonly kind: 'marshaled';
  readonly type: GoType;
  /** Makes the value of `type` from what JSON holds. Throws an Error when that is wrong. */
  readonly fromJson: (value: unknown) => unknown;
}

/** Name of any type; `*` in front for a pointer. */
export function goTypeName(type: GoType): string {
  if (type.kind === 'marshaled') return goTypeName(type.type);
  return type.kind === 'pointer' ? `*${goTypeName(type.to)}` : type.name;
}

export const goString: GoScalar = { kind: 'string', name: 'string' };
export const goBool: GoScalar = { kind: 'bool', name: 'bool' };
export const goInt: GoScalar = { kind: 'number', name: 'int' };
export const goUint64: GoScalar = { kind: 'number', name: 'uint64' };
/** Field type of a checksum in upstream's checkpoints. */
export const goChecksum: GoScalar = { kind: 'number', name: 'checksum.Checksum' };
