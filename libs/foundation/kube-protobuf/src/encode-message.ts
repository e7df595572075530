import { Writer } from '@podwright/protobuf-wire';
import { messageFields } from './message-fields.js';
import { delimited, fixed64, varint } from './wire-types.js';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Encodes the JSON form of a message, such as `core.v1.Pod`. Absent and null fields are left out, where Go writes zero
 * values: a decoder cannot tell them apart. Fields that the message does not have are left out, too. Throws a RangeError
 * for an unknown message, and a TypeError for a value of another type.
 */
export function encodeMessage(message: string, object: JsonObject): Uint8Array {
  const writer = new Writer();
  writeMessage(writer, message, object);
  return writer.take();
}

/** Writes the fields of a message, without its tag and length. */
export function writeMessage(writer: Writer, message: string, value: unknown): void {
  const special = specialMessages[message];
  if (special !== undefined) return special(writer, value);
  const fields = messageFields(message);
  if (fields === undefined) throw new RangeError(`no message ${message}`);
  if (typeof value !== 'object' || value === null) throw new TypeError(`${message} is no object: ${String(value)}`);
  const object = value as JsonObject;
  for (const { number, name, container, type } of fields) {
    if (container === '^') {
      const at = writer.open(number * 8 + delimited);
      writeMessage(writer, type, object);
      writer.close(at);
      continue;
    }
    const given = object[name];
    if (given === undefined || given === null) continue;
    if (container === '[]') for (const item of given as readonly unknown[]) writeValue(writer, number, type, item);
    else if (container === '{}') writeMap(writer, number, type, given as JsonObject);
    else writeValue(writer, number, type, given);
  }
}

function writeValue(writer: Writer, number: number, type: string, value: unknown): void {
  switch (type) {
    case 'string':
      return writer.string(number * 8 + delimited, String(value));
    case 'bytes':
      return writer.bytes(number * 8 + delimited, Buffer.from(String(value), 'base64'));
    case 'bool':
      return writer.bool(number * 8 + varint, Boolean(value));
    case 'int32':
    case 'int64':
      return writer.int64(number * 8 + varint, BigInt(value as number));
    case 'double':
      return writer.double(number * 8 + fixed64, Number(value));
    default: {
      const at = writer.open(number * 8 + delimited);
      writeMessage(writer, type, value);
      writer.close(at);
    }
  }
}

/** In the order of the keys, as Go. */
function writeMap(writer: Writer, number: number, type: string, map: JsonObject): void {
  for (const key of Object.keys(map).sort()) {
    const at = writer.open(number * 8 + delimited);
    writer.string(1 * 8 + delimited, key);
    writeValue(writer, 2, type, map[key] ?? '');
    writer.close(at);
  }
}

type Special = (writer: Writer, value: unknown) => void;

const text: Special = (writer, value) => writer.string(1 * 8 + delimited, String(value));
const json: Special = (writer, value) => writer.string(1 * 8 + delimited, JSON.stringify(value));
const texts: Special = (writer, value) => {
  for (const item of value as readonly string[]) text(writer, item);
};

const time: Special = (writer, value) => {
  const milliseconds = Date.parse(String(value));
  if (Number.isNaN(milliseconds)) throw new TypeError(`no time: ${String(value)}`);
  writer.int64(1 * 8 + varint, BigInt(Math.floor(milliseconds / 1_000)));
  const [, fraction = ''] = /\.(\d+)/.exec(String(value)) ?? [];
  const nanos = Number(fraction.slice(0, 9).padEnd(9, '0'));
  if (nanos > 0) writer.int64(2 * 8 + varint, BigInt(nanos));
};

const intOrString: Special = (writer, value) => {
  if (typeof value === 'number') writer.int64(2 * 8 + varint, BigInt(value));
  else {
    writer.int64(1 * 8 + varint, 1n);
    writer.string(3 * 8 + delimited, String(value));
  }
};

/** Encoders of messages whose JSON has another shape. */
const specialMessages: Readonly<Record<string, Special>> = {
  'meta.v1.Time': time,
  'meta.v1.MicroTime': time,
  'meta.v1.FieldsV1': json,
  'runtime.RawExtension': json,
  'api.resource.Quantity': text,
  'util.intstr.IntOrString': intOrString,
  'authentication.v1.ExtraValue': texts,
  'authorization.v1.ExtraValue': texts,
  'certificates.v1.ExtraValue': texts,
  'certificates.v1beta1.ExtraValue': texts,
};
