import { Reader } from '@podwright/protobuf-wire';
import { messageFields, type MessageField } from './message-fields.js';

/**
 * Decodes a protobuf message of the API to its JSON form. Go also writes fields without a value: empty texts and times
 * are dropped, but zero numbers and booleans stay, because they may be meant. Fields of Go's embedded structs are
 * merged into their parent. Skips fields that the message does not have, or has with another wire type.
 * @throws RangeError for a malformed message.
 */
export function decodeMessage(message: string, bytes: Uint8Array): unknown {
  const reader = new Reader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return readMessage(reader, bytes.byteLength, message);
}

function readMessage(reader: Reader, end: number, message: string): unknown {
  const special = specialMessages[message];
  const decoded = special === undefined ? readObject(reader, end, message) : special(readScalars(reader, end));
  reader.close(end);
  return decoded;
}

function readObject(reader: Reader, end: number, message: string): unknown {
  const fields = messageFields(message);
  if (fields === undefined) throw new RangeError(`no message ${message}`);
  const object: Record<string, unknown> = {};
  while (reader.pos < end) {
    const tag = reader.tag();
    const field = fields.byNumber.get(tag >>> 3);
    if (field === undefined || (tag & 7) !== wireType(field)) reader.skip(tag);
    else readField(reader, field, object);
  }
  return object;
}

function readField(reader: Reader, { name, container, type }: MessageField, object: Record<string, unknown>): void {
  if (container === '{}') {
    object[name] = { ...(object[name] as object), ...readEntry(reader, type) };
    return;
  }
  const value = readValue(reader, type);
  if (container === '^') Object.assign(object, value);
  else if (container === '[]') ((object[name] ??= []) as unknown[]).push(value);
  else if (value !== '' && value !== undefined) object[name] = value;
}

function readEntry(reader: Reader, type: string): Readonly<Record<string, unknown>> {
  const end = reader.open();
  let key = '';
  let value: unknown = emptyValues[type];
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === keyTag) key = reader.string();
    else if (tag === 2 * 8 + wireTypeOf(type)) value = readValue(reader, type);
    else reader.skip(tag);
  }
  reader.close(end);
  // Not an assignment: a key may be `__proto__`.
  return Object.fromEntries([[key, value ?? decodeMessage(type, new Uint8Array())]]);
}

const delimited = 2;
const keyTag = 1 * 8 + delimited;
const emptyValues: Readonly<Record<string, unknown>> = {
  string: '',
  bytes: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
};
const wireTypes: Readonly<Record<string, number>> = { bool: 0, int32: 0, int64: 0, double: 1 };
const wireTypeOf = (type: string): number => wireTypes[type] ?? delimited;
const wireType = ({ container, type }: MessageField): number => (container === '{}' ? delimited : wireTypeOf(type));

function readValue(reader: Reader, type: string): unknown {
  switch (type) {
    case 'string':
      return reader.string();
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64');
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'int64':
      // Nothing in the API needs more than 53 bits.
      return Number(reader.int64());
    case 'double':
      return reader.double();
    default:
      return readMessage(reader, reader.open(), type);
  }
}

type Scalar = readonly [number: number, value: string | number];

/** The texts and varints of a message, in order. */
function readScalars(reader: Reader, end: number): readonly Scalar[] {
  const scalars: Scalar[] = [];
  while (reader.pos < end) {
    const tag = reader.tag();
    if ((tag & 7) === delimited) scalars.push([tag >>> 3, reader.string()]);
    else if ((tag & 7) === 0) scalars.push([tag >>> 3, Number(reader.int64())]);
    else reader.skip(tag);
  }
  return scalars;
}

type Special = (scalars: readonly Scalar[]) => unknown;

const first = (scalars: readonly Scalar[], wanted: number): string | number | undefined =>
  scalars.find(([number]) => number === wanted)?.[1];
const text = (scalars: readonly Scalar[], wanted: number): string => String(first(scalars, wanted) ?? '');
const list: Special = (scalars) => scalars.map(([, value]) => value);

const time =
  (fractionDigits: number): Special =>
  (scalars) => {
    if (scalars.length === 0) return undefined;
    const seconds = Number(first(scalars, 1) ?? 0);
    const iso = new Date(seconds * 1_000).toISOString().slice(0, 19);
    const nanos = String(first(scalars, 2) ?? 0).padStart(9, '0');
    return `${iso}${fractionDigits === 0 ? '' : `.${nanos.slice(0, fractionDigits)}`}Z`;
  };

const rawJson: Special = (scalars) => {
  const raw = text(scalars, 1);
  if (raw === '') return undefined;
  try {
    return JSON.parse(raw) as unknown;
  } catch (error) {
    throw new RangeError('a field of JSON has none', { cause: error });
  }
};

/** Decoders of messages whose JSON has another shape. */
const specialMessages: Readonly<Record<string, Special>> = {
  'meta.v1.Time': time(0),
  'meta.v1.MicroTime': time(6),
  'meta.v1.FieldsV1': rawJson,
  'runtime.RawExtension': rawJson,
  'api.resource.Quantity': (scalars) => text(scalars, 1),
  'util.intstr.IntOrString': (scalars) => (first(scalars, 1) === 1 ? text(scalars, 3) : Number(first(scalars, 2) ?? 0)),
  'authentication.v1.ExtraValue': list,
  'authorization.v1.ExtraValue': list,
  'certificates.v1.ExtraValue': list,
  'certificates.v1beta1.ExtraValue': list,
};
