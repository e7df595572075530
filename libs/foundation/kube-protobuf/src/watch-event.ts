import { Reader, Writer } from '@podwright/protobuf-wire';
import type { DecodeOptions } from './decode-message.js';
import { asBuffer, decodeObject, encodeObject, type TypedObject } from './typed-object.js';
import { delimited } from './wire-types.js';

export interface WatchEvent {
  readonly type: string;
  readonly object: TypedObject;
}

/** Encodes an event of a watch. In the stream, its length precedes it as 32 bits, big-endian. */
export function encodeWatchEvent({ type, object }: WatchEvent): Uint8Array {
  const writer = new Writer();
  writer.string(eventFields.type, type);
  const at = writer.open(eventFields.object);
  writer.bytes(extensionFields.raw, encodeObject(object));
  writer.close(at);
  return writer.take();
}

/**
 * Decodes an event of a watch, without its length.
 * @throws RangeError for malformed bytes and for a kind that is not in the table.
 */
export function decodeWatchEvent(bytes: Uint8Array, options?: DecodeOptions): WatchEvent {
  const reader = new Reader(asBuffer(bytes));
  let type = '';
  let object: TypedObject | undefined;
  while (reader.pos < bytes.length) {
    const tag = reader.tag();
    if (tag === eventFields.type) type = reader.string();
    else if (tag === eventFields.object) object = readExtension(reader, options);
    else reader.skip(tag);
  }
  reader.close(bytes.length);
  if (object === undefined) throw new RangeError('malformed message: an event without an object');
  return { type, object };
}

function readExtension(reader: Reader, options: DecodeOptions | undefined): TypedObject | undefined {
  const end = reader.open();
  let object: TypedObject | undefined;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === extensionFields.raw) object = decodeObject(reader.view(), options);
    else reader.skip(tag);
  }
  reader.close(end);
  return object;
}

const eventFields = { type: 1 * 8 + delimited, object: 2 * 8 + delimited };
const extensionFields = { raw: 1 * 8 + delimited };
