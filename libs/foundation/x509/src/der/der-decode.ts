import { KubeletError, messageOf } from '@podwright/errors';

/** One DER value. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** The whole value, with tag and length. */
  readonly whole: Buffer;
}

/** Decodes the DER values in `bytes`, one after another. Throws `invalid-argument` for malformed DER. */
export function derValues(bytes: Uint8Array): readonly DerValue[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: DerValue[] = [];
  for (let offset = 0; offset < buffer.length;) {
    const value = valueAt(buffer, offset);
    values.push(value);
    offset += value.whole.length;
  }
  return values;
}

/** The values inside a constructed value. Throws `invalid-argument` when it has another tag. */
export function derChildren(value: DerValue | undefined, tag = 0x30): readonly DerValue[] {
  if (value?.tag !== tag) throw broken(`tag ${describeTag(value?.tag)} where ${describeTag(tag)} is expected`);
  return derValues(value.content);
}

export function derContent(value: DerValue | undefined, tag: number): Buffer {
  if (value?.tag !== tag) throw broken(`tag ${describeTag(value?.tag)} where ${describeTag(tag)} is expected`);
  return value.content;
}

/** The bytes of a bit string. Throws `invalid-argument` when it is not a whole number of bytes. */
export function readBitString(value: DerValue | undefined): Buffer {
  const content = derContent(value, 0x03);
  if (content[0] !== 0) throw broken('a bit string that is no whole number of bytes');
  return content.subarray(1);
}

/** The numbers of the bits that are set in a bit string. */
export function readNamedBits(value: DerValue | undefined): readonly number[] {
  const bytes = derContent(value, 0x03).subarray(1);
  const numbers = Array.from({ length: bytes.length * 8 }, (_unused, number) => number);
  return numbers.filter((number) => ((bytes[number >> 3] ?? 0) & (0x80 >> (number & 7))) !== 0);
}

export function readOid(value: DerValue | undefined): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of derContent(value, 0x06)) {
    number = number * 128 + (byte & 0x7f);
    if (number > Number.MAX_SAFE_INTEGER / 256) throw broken('an object identifier that is too long');
    if ((byte & 0x80) !== 0) continue;
    numbers.push(number);
    number = 0;
  }
  const [joined = 0, ...rest] = numbers;
  const first = Math.min(2, Math.floor(joined / 40));
  return [first, joined - first * 40, ...rest].join('.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const textTags = { utf8: 0x0c, numeric: 0x12, printable: 0x13, teletex: 0x14, ia5: 0x16, bmp: 0x1e } as const;
const latinTags: readonly number[] = [textTags.numeric, textTags.printable, textTags.teletex, textTags.ia5];

/** The text of a string value, of any string type that Go reads. */
export function readText(value: DerValue | undefined): string {
  if (value === undefined) throw broken('a text is missing');
  const { tag, content } = value;
  if (latinTags.includes(tag)) return content.toString('latin1');
  if (tag === textTags.utf8) return readUtf8(content);
  if (tag !== textTags.bmp || content.length % 2 !== 0) throw broken(`a text of tag ${describeTag(tag)}`);
  // The text is big-endian, but Node decodes only little-endian.
  return Buffer.from(content).swap16().toString('utf16le');
}

// Throws for malformed UTF-8, because replacement characters would make different names equal.
function readUtf8(content: Buffer): string {
  try {
    return utf8.decode(content);
  } catch (cause) {
    throw broken(`a text that is no UTF-8: ${messageOf(cause)}`);
  }
}

export function readInteger(value: DerValue | undefined): bigint {
  const content = derContent(value, 0x02);
  if (content.length === 0) throw broken('a number without digits');
  return BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`));
}

/** A time value as milliseconds since 1970. */
export function readTime(value: DerValue | undefined): number {
  const text = value?.content.toString('latin1') ?? '';
  const match = (value?.tag === 0x17 ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/ : generalizedTime).exec(text);
  if (match === null) throw broken(`a time that is none: ${JSON.stringify(text)}`);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const century = value?.tag !== 0x17 ? 0 : year < 50 ? 2000 : 1900;
  return Date.UTC(century + year, month - 1, day, hour, minute, second);
}

const generalizedTime = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;

function valueAt(buffer: Buffer, offset: number): DerValue {
  const tag = buffer[offset] ?? 0;
  const first = buffer[offset + 1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = offset + 2 + lengthBytes;
  if ((tag & 0x1f) === 0x1f || first === 0x80 || lengthBytes > 4) throw broken('a length or tag of another encoding');
  if (start > buffer.length) throw broken('cut off');
  const length = lengthBytes === 0 ? first : buffer.readUIntBE(offset + 2, lengthBytes);
  if (start + length > buffer.length) throw broken('cut off');
  return { tag, content: buffer.subarray(start, start + length), whole: buffer.subarray(offset, start + length) };
}

function describeTag(tag: number | undefined): string {
  return tag === undefined ? 'none' : `0x${tag.toString(16).padStart(2, '0')}`;
}

function broken(what: string): KubeletError {
  return new KubeletError(`malformed DER: ${what}`, { code: 'invalid-argument' });
}
