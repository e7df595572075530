/** DER (ITU-T X.690) encoders. Each function returns one complete value with tag and length. */

const tags = { boolean: 0x01, integer: 0x02, bitString: 0x03, octetString: 0x04, null: 0x05, oid: 0x06 } as const;
const textTags = { utf8: 0x0c, printable: 0x13, ia5: 0x16, utcTime: 0x17, generalizedTime: 0x18 } as const;

/** A value with any tag; `content` is encoded already. */
export function derValue(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

export function derSequence(...values: readonly Uint8Array[]): Buffer {
  return derValue(0x30, Buffer.concat(values));
}

/** A set; sorts its values, as DER requires. */
export function derSet(...values: readonly Uint8Array[]): Buffer {
  return derValue(0x31, Buffer.concat([...values].sort(Buffer.compare)));
}

/** Wraps a value in the explicit tag `[number]`. */
export function derExplicit(number: number, value: Uint8Array): Buffer {
  return derValue(0xa0 | number, value);
}

/** A primitive value with the implicit tag `[number]` in place of its own. */
export function derImplicit(number: number, content: Uint8Array): Buffer {
  return derValue(0x80 | number, content);
}

export function derBoolean(value: boolean): Buffer {
  return derValue(tags.boolean, Buffer.from([value ? 0xff : 0]));
}

/** A non-negative integer, given as big-endian bytes. */
export function derInteger(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const significant = start < 0 ? Buffer.from([0]) : bytes.subarray(start);
  const negative = ((significant[0] ?? 0) & 0x80) !== 0;
  return derValue(tags.integer, negative ? Buffer.concat([Buffer.from([0]), significant]) : significant);
}

export function derNull(): Buffer {
  return derValue(tags.null, Buffer.alloc(0));
}

/** A bit string of whole bytes. */
export function derBitString(bytes: Uint8Array): Buffer {
  return derValue(tags.bitString, Buffer.concat([Buffer.from([0]), bytes]));
}

/** A bit string with the given bits set; without trailing zeros, as DER requires for named bits. */
export function derNamedBits(numbers: readonly number[]): Buffer {
  if (numbers.length === 0) return derValue(tags.bitString, Buffer.from([0]));
  const highest = Math.max(...numbers);
  const bytes = Buffer.alloc(Math.floor(highest / 8) + 1);
  for (const number of numbers) bytes[number >> 3] = (bytes[number >> 3] ?? 0) | (0x80 >> (number & 7));
  return derValue(tags.bitString, Buffer.concat([Buffer.from([7 - (highest & 7)]), bytes]));
}

export function derOctetString(bytes: Uint8Array): Buffer {
  return derValue(tags.octetString, bytes);
}

/** An object identifier, given in its dotted form, `2.5.4.3`. */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return derValue(tags.oid, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** A string: like Go, PrintableString when the text allows it, else UTF8String. */
export function derText(text: string): Buffer {
  const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text);
  return derValue(printable ? textTags.printable : textTags.utf8, Buffer.from(text, 'utf8'));
}

/** A time in whole seconds: UTCTime until 2049, then GeneralizedTime, as RFC 5280 requires. */
export function derTime(timeMs: number): Buffer {
  const digits = new Date(timeMs)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '');
  const short = Number(digits.slice(0, 4)) < 2050;
  return short
    ? derValue(textTags.utcTime, Buffer.from(digits.slice(2), 'latin1'))
    : derValue(textTags.generalizedTime, Buffer.from(digits, 'latin1'));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest & 0x7f) | 0x80);
  }
  return bytes;
}
