import { KubeletError } from '@podwright/errors';
import { isJsonObject } from '@podwright/kube-types';
import { goTypeName } from './go-type.js';
import type { GoMap, GoMarshaled, GoPointer, GoScalar, GoStruct, GoType } from './go-type.js';

/**
 * The text from which upstream computes a checksum: go-spew `%#v` with sorted keys, without addresses and methods.
 * `value` is plain JSON. Throws `invalid-argument` when it does not fit the type.
 * Source: kubernetes v1.36 pkg/util/hash/hash.go, vendor/k8s.io/utils/dump.
 */
export function goDump(value: unknown, type: GoType): string {
  // Here and in struct fields only the type's name shows that it is a pointer.
  const text =
    type.kind === 'pointer' && isNil(value) ? '<nil>' : bare(value, type.kind === 'pointer' ? type.to : type);
  return `(${goTypeName(type)})${text}`;
}

/** The dump of a value without its type, as for elements of maps and slices. */
function bare(value: unknown, type: GoType): string {
  if (type.kind === 'marshaled') return bare(type.fromJson(value), type.type);
  if (type.kind === 'pointer') return `<*>${isNil(value) ? '<nil>' : bare(value, type.to)}`;
  if (isNil(value)) return zeroText(type);
  switch (type.kind) {
    case 'struct':
      return structText(value, type);
    case 'map':
      return mapText(value, type);
    case 'slice':
      if (!Array.isArray(value) && !(value instanceof Uint8Array)) throw misfit(value, type);
      return `[${Array.from(value as ArrayLike<unknown>, (element) => bare(element, type.element)).join(' ')}]`;
    default:
      return scalarText(value, type);
  }
}

function zeroText(type: Exclude<GoType, GoPointer | GoMarshaled>): string {
  if (type.kind === 'map' || type.kind === 'slice') return '<nil>';
  if (type.kind === 'struct') return structText({}, type);
  return { string: '', number: '0', bool: 'false' }[type.kind];
}

function structText(value: unknown, type: GoStruct): string {
  if (!isJsonObject(value)) throw misfit(value, type);
  return `{${type.fields.map((field) => `${field.name}:${goDump(value[field.key], field.type)}`).join(' ')}}`;
}

function mapText(value: unknown, type: GoMap): string {
  if (!isJsonObject(value)) throw misfit(value, type);
  return `map[${sortedKeys(value, type)
    .map((key) => `${key}:${bare(value[key], type.value)}`)
    .join(' ')}]`;
}

function sortedKeys(value: object, type: GoMap): string[] {
  const keys = Object.keys(value);
  if (type.numericKeys === true) return keys.sort((a, b) => Number(a) - Number(b));
  return keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function scalarText(value: unknown, type: GoScalar): string {
  const fits = typeof value === type.kind || (type.kind === 'bool' && typeof value === 'boolean');
  if (!fits && typeof value !== 'bigint') throw misfit(value, type);
  return String(value);
}

function misfit(value: unknown, type: GoType): KubeletError {
  return new KubeletError(`${JSON.stringify(value)} is no ${goTypeName(type)}`, { code: 'invalid-argument' });
}

function isNil(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
