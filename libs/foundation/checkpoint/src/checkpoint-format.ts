import { KubeletError, messageOf } from '@podwright/errors';
import { fnv1a32, isJsonObject } from '@podwright/kube-types';
import { goDump } from './go-dump.js';
import type { GoField, GoStruct, GoType } from './go-type.js';

/** The format of a manager's checkpoint: its Go type and its checksum. */
export interface CheckpointFormat {
  readonly type: GoStruct;
  /** Key of the checksum in `type`. Default `checksum`. */
  readonly checksumKey?: string;
  /** A file with checksum 0 is accepted, as upstream does for its older versions. Default false. */
  readonly acceptZero?: boolean;
  /** Other Go names of the top type, with which the checksum may have been computed. */
  readonly otherNames?: readonly string[];
}

const defaultKey = 'checksum';

/**
 * The checksum: 32-bit FNV-1a of the object's dump, with its checksum as 0. `name` replaces the type's name in the
 * dump.
 */
export function checkpointChecksum(value: object, format: CheckpointFormat, name: string = format.type.name): number {
  const { type, checksumKey = defaultKey } = format;
  return fnv1a32(goDump({ ...value, [checksumKey]: 0 }, { kind: 'pointer', to: { ...type, name } }));
}

/** The text of a checkpoint file: JSON in the field order of the Go struct, with its checksum. */
export function encodeCheckpoint(value: object, format: CheckpointFormat): string {
  const { type, checksumKey = defaultKey } = format;
  return JSON.stringify(ordered({ ...value, [checksumKey]: checkpointChecksum(value, format) }, type));
}

/**
 * Decodes the text of a checkpoint file and checks its checksum. Keys match in any case, as in Go. A missing or null
 * field becomes the zero value of its type (an empty map or slice; only pointers become null). Throws `data-loss` that
 * names `file`.
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

// Only the checksum distinguishes nil from empty, so the decoded value has no nil maps and slices.
function withoutNil(value: unknown, type: GoType): unknown {
  switch (type.kind) {
    case 'marshaled':
      return value;
    case 'pointer':
      return value === null || value === undefined ? null : withoutNil(value, type.to);
    case 'struct': {
      const given = isJsonObject(value) ? value : {};
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

/** Spells the keys of structs as the type does, and adds missing maps and structs as empty ones. */
function withGoKeys(value: unknown, type: GoType): unknown {
  if (type.kind === 'pointer') return value === null || value === undefined ? value : withGoKeys(value, type.to);
  if (type.kind === 'struct' && isJsonObject(value)) {
    const byLowerKey = new Map(Object.entries(value).map(([key, item]) => [key.toLowerCase(), item]));
    const fields = type.fields.map((field) => [field.key, fieldValue(byLowerKey, field)] as const);
    return Object.fromEntries(fields.filter(([, item]) => item !== undefined));
  }
  if (type.kind === 'map' && isJsonObject(value)) {
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
  if (type.kind === 'struct' && isJsonObject(value)) {
    const fields = type.fields.filter(({ key, omitEmpty }) => omitEmpty !== true || !isEmpty(value[key]));
    return Object.fromEntries(fields.map((field) => [field.key, ordered(value[field.key], field.type) ?? null]));
  }
  if (type.kind === 'map' && isJsonObject(value)) {
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
