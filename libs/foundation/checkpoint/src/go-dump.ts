import { KubeletError } from '@podwright/errors';
import { goTypeName } from './go-type.js';
import type { GoMap, GoMarshaled, GoPointer, GoScalar, GoStruct, GoType } from './go-type.js';

/**
 * The text over which upstream computes a checksum: go-spew `%#v` with sorted keys, without addresses and methods.
 * `value` is the plain object that JSON holds. Throws `invalid-argument` when it does not fit the type.
 * Source: kubernetes v1.36 pkg/util/hash/hash.go, vendor/k8s.io/utils/dump.
 */
export function goDump(value: unknown, type: GoType): string {
  // Here and in struct fields a pointer shows in the type's name alone.
  const text =
    type.kind === 'pointer' && isNil(value) ? '<nil>' : bare(value, type.kind === 'pointer' ? type.to : type);
  return `(${goTypeName(type)})${text}`;
}

/** The value without its type in front, as elements of maps and slices are printed. */
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
  if (!isObject(value)) throw misfit(value, type);
  return `{${type.fields.map((field) => `${field.name}:${goDump(value[field.key], field.type)}`).join(' ')}}`;
}

function mapText(value: unknown, type: GoMap): string {
  if (!isObject(value)) throw misfit(value, type);
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
