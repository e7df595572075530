import { Reader, Writer } from '@podwright/protobuf-wire';
import { decodeMessage, readMessage, type DecodeOptions } from './decode-message.js';
import { writeMessage } from './encode-message.js';
import { itemMessage, objectMessage } from './object-messages.js';
import { delimited } from './wire-types.js';

/** The media type of the bytes of {@link encodeObject}. */
export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

/** An object of the API, or a list of them, in its JSON form. */
export interface TypedObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly [field: string]: unknown;
}

/** A list whose items are decoded one by one. */
export interface OpenedList {
  /** The list without its items. */
  readonly envelope: TypedObject;
  /** Each with the bytes of the list that were read so far. Throws a RangeError at a malformed item. */
  readonly items: Iterable<readonly [item: unknown, bytesRead: number]>;
}

// Each body begins with `k8s` and a zero byte. Source: kubernetes v1.36
// apimachinery/pkg/runtime/serializer/protobuf/protobuf.go.
const magic = Buffer.from('k8s\0');

/**
 * Encodes an object, or a list, as the API server takes it. Its `apiVersion` and `kind` choose the message. Throws as
 * encodeMessage does.
 */
export function encodeObject(object: TypedObject): Uint8Array {
  const { apiVersion = '', kind = '' } = object;
  const writer = new Writer();
  writeMessage(writer, 'runtime.Unknown', { apiVersion, kind });
  const raw = writer.open(unknownFields.raw);
  writeObject(writer, object);
  writer.close(raw);
  return Buffer.concat([magic, writer.finish()]);
}

/**
 * Decodes an object, or a list; `options` are about an object only.
 * @throws RangeError for malformed bytes and for a kind that is not in the table.
 */
export function decodeObject(bytes: Uint8Array, options?: DecodeOptions): TypedObject {
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  if (itemMessage(apiVersion, kind) !== undefined) {
    const { envelope, items } = openList(bytes);
    return { ...envelope, items: Array.from(items, ([item]) => item) };
  }
  return { apiVersion, kind, ...(decodeMessage(objectMessage(apiVersion, kind), raw, options) as object) };
}

/** Opens a list of the API; see {@link decodeObject} for errors. */
export function openList(bytes: Uint8Array): OpenedList {
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  const item = itemMessage(apiVersion, kind);
  // Such as a Status.
  if (item === undefined) return { envelope: decodeObject(bytes), items: [] };
  const reader = new Reader(raw);
  let metadata: unknown = {};
  // The metadata come first.
  if (raw.length > 0 && raw[0] === listFields.metadata) {
    reader.tag();
    metadata = readMessage(reader, reader.open(), 'meta.v1.ListMeta');
  }
  return { envelope: { apiVersion, kind, metadata }, items: readItems(reader, raw.length, item) };
}

function* readItems(reader: Reader, end: number, item: string): Generator<readonly [unknown, number], void, undefined> {
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === listFields.items) yield [readMessage(reader, reader.open(), item), reader.pos];
    else reader.skip(tag);
  }
  reader.close(end);
}

const unknownFields = { typeMeta: 1 * 8 + delimited, raw: 2 * 8 + delimited };
const listFields = { metadata: 1 * 8 + delimited, items: 2 * 8 + delimited };

function writeObject(writer: Writer, object: TypedObject): void {
  const { apiVersion = '', kind = '', metadata, items } = object;
  const item = itemMessage(apiVersion, kind);
  if (item === undefined) return writeMessage(writer, objectMessage(apiVersion, kind), object);
  const at = writer.open(listFields.metadata);
  writeMessage(writer, 'meta.v1.ListMeta', metadata ?? {});
  writer.close(at);
  for (const each of (items ?? []) as readonly unknown[]) {
    const begin = writer.open(listFields.items);
    writeMessage(writer, item, each);
    writer.close(begin);
  }
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

function openEnvelope(bytes: Uint8Array): Envelope {
  const buffer = asBuffer(bytes);
  if (!buffer.subarray(0, magic.length).equals(magic))
    throw new RangeError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  const reader = new Reader(buffer);
  reader.pos = magic.length;
  let raw = buffer.subarray(0, 0);
  let type: Omit<Envelope, 'raw'> = { apiVersion: '', kind: '' };
  while (reader.pos < buffer.length) {
    const tag = reader.tag();
    if (tag === unknownFields.raw) raw = reader.view();
    else if (tag === unknownFields.typeMeta)
      type = { ...type, ...(readMessage(reader, reader.open(), 'runtime.TypeMeta') as object) };
    else reader.skip(tag);
  }
  reader.close(buffer.length);
  return { ...type, raw };
}

/** The same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
