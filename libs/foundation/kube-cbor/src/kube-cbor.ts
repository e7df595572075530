import { decode, encode, Token, Type, type EncodeOptions, type TagDecodeControl } from 'cborg';

export const cborMediaType = 'application/cbor';
/** The media type of a watch: events follow each other without a separator. */
export const cborSequenceMediaType = 'application/cbor-seq';

// "Self-described CBOR", which the API server begins each object with.
const selfDescribed = Buffer.from([0xd9, 0xd9, 0xf7]);

const encodeOptions: EncodeOptions = {
  ignoreUndefinedProperties: true,
  // As the API server does. It takes texts for fields of bytes in this form only.
  typeEncoders: { string: (text: string) => new Token(Type.bytes, new TextEncoder().encode(text)) },
};

/**
 * Encodes the JSON form of an object as the API server takes it. Source: kubernetes v1.36
 * apimachinery/pkg/runtime/serializer/cbor.
 */
export function encodeCbor(object: unknown): Uint8Array {
  return Buffer.concat([selfDescribed, encode(object, encodeOptions)]);
}

const content = (decodeContent: TagDecodeControl): unknown => decodeContent();
const base64 = (decodeContent: TagDecodeControl): unknown => {
  const bytes = decodeContent();
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : bytes;
};

const decodeOptions = {
  // Keys are byte strings.
  useMaps: true,
  allowUndefined: false,
  allowNaN: false,
  allowInfinity: false,
  allowBigInt: false,
  // Times, bytes that JSON has in base64, and "self-described".
  tags: { 0: content, 22: base64, 55799: content },
};

/** Decodes an object of the API server to its JSON form. Throws an Error for malformed bytes. */
export function decodeCbor(bytes: Uint8Array): unknown {
  return toJson(decode(bytes, decodeOptions));
}

function toJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Map) return objectOf(Array.from(value, ([key, item]) => [String(toJson(key)), toJson(item)]));
  return value;
}

function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  // Not assignments: a key may be `__proto__`.
  const object = Object.fromEntries(entries);
  if (Object.keys(object).length < entries.length) throw new RangeError('malformed CBOR: a key that occurs twice');
  return object;
}
