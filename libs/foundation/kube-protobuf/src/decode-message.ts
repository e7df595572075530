import { Reader } from '@podwright/protobuf-wire';
import { delimited, varint, fixed64 } from './wire-types.js';
import { messageFields, type MessageField } from './message-fields.js';
import { specialReaders } from './special-readers.js';

/**
 * Decodes a protobuf message of the API to its JSON form: the same object as the JSON of an API server. Fields of Go's
 * embedded structs are merged into their parent. Skips fields that the message does not have, or has with another wire
 * type.
 * @throws RangeError for a malformed message.
 */
export function decodeMessage(message: string, bytes: Uint8Array, options?: DecodeOptions): unknown {
  const reader = new Reader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return readMessage(reader, bytes.byteLength, message, options);
}

export interface DecodeOptions {
  /** False leaves out `metadata.managedFields`, which can be a third of an object. Default true. */
  readonly managedFields?: boolean;
}

type ReadValue = (reader: Reader) => unknown;
type JsonObject = Record<string, unknown>;

/** Reads one occurrence of a field into its object. */
type ReadField = (reader: Reader, object: JsonObject) => void;

/** Reads the message that ends at `end`. */
type ReadMessage = (reader: Reader, end: number) => unknown;

/** Reads the message that ends at `end`. */
export function readMessage(
  reader: Reader,
  end: number,
  message: string,
  { managedFields = true }: DecodeOptions = {},
): unknown {
  return messageReader(message, managedFields ? wholeReaders : otherReaders)(reader, end);
}

type MessageReaders = Map<string, ReadMessage>;
const wholeReaders: MessageReaders = new Map();
/** They leave out managed fields. */
const otherReaders: MessageReaders = new Map();

function messageReader(message: string, readers: MessageReaders): ReadMessage {
  const known = readers.get(message);
  if (known !== undefined) return known;
  const read = closing(specialReaders[message] ?? objectReader(message, readers));
  readers.set(message, read);
  return read;
}

const closing =
  (read: ReadMessage): ReadMessage =>
  (reader, end) => {
    const value = read(reader, end);
    reader.close(end);
    return value;
  };

function objectReader(message: string, readers: MessageReaders): ReadMessage {
  const known = messageFields(message);
  if (known === undefined) throw new RangeError(`no message ${message}`);
  /** By tag. */
  const fields: (ReadField | undefined)[] = [];
  for (const field of known) {
    const isWanted = readers === wholeReaders || field.type !== 'meta.v1.ManagedFieldsEntry';
    if (isWanted) fields[tagOf(field)] = fieldReader(field, readers);
  }
  return (reader, end) => {
    const object: JsonObject = {};
    while (reader.pos < end) {
      const tag = reader.tag();
      const read = fields[tag];
      if (read === undefined) reader.skip(tag);
      else read(reader, object);
    }
    return object;
  };
}

function tagOf({ number, container, type }: MessageField): number {
  return number * 8 + (container === '{}' ? delimited : wireTypeOf(type));
}

function fieldReader({ name, container, type, omitsZero }: MessageField, readers: MessageReaders): ReadField {
  const readValue = valueReader(type, readers);
  switch (container) {
    case '{}':
      return (reader, object) => {
        readEntry(reader, type, readValue, (object[name] ??= {}) as JsonObject);
      };
    case '[]':
      return (reader, object) => {
        ((object[name] ??= []) as unknown[]).push(readValue(reader));
      };
    case '^':
      return (reader, object) => {
        Object.assign(object, readValue(reader));
      };
    default:
      return (reader, object) => {
        const value = readValue(reader);
        if (value !== undefined && !(omitsZero && isZero(value))) object[name] = value;
      };
  }
}

const isZero = (value: unknown): boolean => value === '' || value === 0 || value === false;

function readEntry(reader: Reader, type: string, readValue: ReadValue, map: JsonObject): void {
  const end = reader.open();
  const valueTag = 2 * 8 + wireTypeOf(type);
  let key = '';
  let value: unknown;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === keyTag) key = reader.string();
    else if (tag === valueTag) value = readValue(reader);
    else reader.skip(tag);
  }
  reader.close(end);
  value ??= emptyValues[type] ?? decodeMessage(type, new Uint8Array());
  // An assignment of `__proto__` would lose the entry.
  if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true, writable: true });
  else map[key] = value;
}

const keyTag = 1 * 8 + delimited;
const emptyValues: Readonly<Record<string, unknown>> = {
  string: '',
  bytes: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
};
const wireTypes: Readonly<Record<string, number>> = { bool: varint, int32: varint, int64: varint, double: fixed64 };
const wireTypeOf = (type: string): number => wireTypes[type] ?? delimited;

const scalarReaders: Readonly<Record<string, ReadValue>> = {
  string: (reader) => reader.string(),
  bytes: (reader) => Buffer.from(reader.bytes()).toString('base64'),
  bool: (reader) => reader.bool(),
  int32: (reader) => reader.int32(),
  // Nothing in the API needs more than 53 bits.
  int64: (reader) => Number(reader.int64()),
  double: (reader) => reader.double(),
};

function valueReader(type: string, readers: MessageReaders): ReadValue {
  const scalar = scalarReaders[type];
  if (scalar !== undefined) return scalar;
  // Not before it is needed: messages may hold themselves.
  let read: ReadMessage | undefined;
  return (reader) => (read ??= messageReader(type, readers))(reader, reader.open());
}
