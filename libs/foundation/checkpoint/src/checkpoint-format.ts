import { KubeletError, messageOf } from '@podwright/errors';
import { fnv1a32 } from './fnv.js';
import { goDump } from './go-dump.js';
import type { GoField, GoStruct, GoType } from './go-type.js';

/** How the checkpoint of one manager is written and checked. */
export interface CheckpointFormat {
  readonly type: GoStruct;
  /** Key of the checksum in `type`. Default `checksum`. */
  readonly checksumKey?: string;
  /** A file with checksum 0 is accepted, as upstream does for its older versions. Default false. */
  readonly acceptZero?: boolean;
  /** Other Go names of the top type under which a checksum may have been made. */
  readonly otherNames?: readonly string[];
}

const defaultKey = 'checksum';

/** FNV-1a 32 over the dump of the object with its checksum set to 0; `name` overrides the type's name in the dump. */
export function checkpointChecksum(value: object, format: CheckpointFormat, name: string = format.type.name): number {
  const { type, checksumKey = defaultKey } = format;
  return fnv1a32(goDump({ ...value, [checksumKey]: 0 }, { kind: 'pointer', to: { ...type, name } }));
}

/** The file's text: JSON in the order of the Go struct, with the checksum filled in. */
export function encodeCheckpoint(value: object, format: CheckpointFormat): string {
  const { type, checksumKey = defaultKey } = format;
  return JSON.stringify(ordered({ ...value, [checksumKey]: checkpointChecksum(value, format) }, type));
}

/**
 * Reads a file's text strictly: JSON, then the checksum. Keys match in any case, as in Go. What is missing or null has the
 * zero value of its type, a map or slice is empty then; only pointers are null. Throws `data-loss` that names `file`.
 * Source: kubernetes v1.36 pkg/kubelet/checkpointmanager.
 */
export function decodeCheckpoint<T extends object>(text: string, format: CheckpointFormat, file: string): T {
  const { type, checksumKey = defaultKey, acceptZero = false, otherNames = [] } = format;
  const corrupt = (problem: string, cause?: unknown): KubeletError =>
    new KubeletError(`checkpoint is corrupted: ${file}: ${problem}`, { code: 'data-loss', cause });
  let value: Record<string, unknown>;
  let sums: number[];
  try {
    value = withGoKeys(JSON.parse(text), type) as Record<string, unknown>;
    sums = [type.name, ...otherNames].map((name) => checkpointChecksum(value, format, name));
  } catch (error) {
    throw corrupt(messageOf(error), error);
  }
  const found = value[checksumKey] ?? 0;
  const isAccepted = (found === 0 && acceptZero) || sums.includes(found as number);
  if (!isAccepted) throw corrupt(`checksum is ${String(found)}, expected ${sums[0]}`);
  return withoutNil(value, type) as T;
}

// The checksum knows nil from empty; nobody else has to.
function withoutNil(value: unknown, type: GoType): unknown {
  switch (type.kind) {
    case 'marshaled':
      return value;
    case 'pointer':
      return value === null || value === undefined ? null : withoutNil(value, type.to);
    case 'struct': {
      const given = isObject(value) ? value : {};
      return Object.fromEntries(type.fields.map((field) => [field.key, withoutNil(given[field.key], field.type)]));
    }
    case 'map':
      return Object.fromEntries(
        Object.entries(value ?? {}).map(([key, item]) => [key, withoutNil(item, type.value)] as const),
      );
    case 'slice':
      return Array.isArray(value) ? value.map((item: unknown) => withoutNil(item, type.element)) : (value ?? []);
    default:
      return value ?? { string: '', number: 0, bool: false }[type.kind];
  }
}

/** Gives the keys of structs the spelling of the type, and missing maps their empty value. */
function withGoKeys(value: unknown, type: GoType): unknown {
  if (type.kind === 'pointer') return value === null || value === undefined ? value : withGoKeys(value, type.to);
  if (type.kind === 'struct' && isObject(value)) {
    const byLowerKey = new Map(Object.entries(value).map(([key, item]) => [key.toLowerCase(), item]));
    const fields = type.fields.map((field) => [field.key, fieldValue(byLowerKey, field)] as const);
    return Object.fromEntries(fields.filter(([, item]) => item !== undefined));
  }
  if (type.kind === 'map' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withGoKeys(item, type.value)]));
  }
  if (type.kind === 'slice' && Array.isArray(value))
    return value.map((item: unknown) => withGoKeys(item, type.element));
  if (type.kind === 'struct') throw new Error(`${JSON.stringify(value)?.slice(0, 100)} is no object`);
  return value;
}

function fieldValue(byLowerKey: ReadonlyMap<string, unknown>, { key, type }: GoField): unknown {
  const found = byLowerKey.get(key.toLowerCase());
  // A struct is never nil in Go, and upstream makes its maps before it reads into them.
  if (found === undefined) return type.kind === 'map' ? {} : type.kind === 'struct' ? withGoKeys({}, type) : undefined;
  return withGoKeys(found, type);
}

function ordered(value: unknown, type: GoType): unknown {
  if (type.kind === 'pointer') return ordered(value, type.to);
  if (type.kind === 'struct' && isObject(value)) {
    const fields = type.fields.filter(({ key, omitEmpty }) => omitEmpty !== true || !isEmpty(value[key]));
    return Object.fromEntries(fields.map((field) => [field.key, ordered(value[field.key], field.type) ?? null]));
  }
  if (type.kind === 'map' && isObject(value)) {
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, ordered(value[key], type.value)]),
    );
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (type.kind === 'slice' && Array.isArray(value)) return value.map((item: unknown) => ordered(item, type.element));
  return value ?? null;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
