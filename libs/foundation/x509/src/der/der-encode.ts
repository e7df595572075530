/** DER (ITU-T X.690): each function gives one complete value, tag and length included. */

const tags = { boolean: 0x01, integer: 0x02, bitString: 0x03, octetString: 0x04, null: 0x05, oid: 0x06 } as const;
const textTags = { utf8: 0x0c, printable: 0x13, ia5: 0x16, utcTime: 0x17, generalizedTime: 0x18 } as const;

/** Tag and length in front of a content that is DER already. */
export function derValue(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

export function derSequence(...values: readonly Uint8Array[]): Buffer {
  return derValue(0x30, Buffer.concat(values));
}

/** The caller gives the values in DER's order; all sets of this package have one value or sort before. */
export function derSet(...values: readonly Uint8Array[]): Buffer {
  return derValue(0x31, Buffer.concat([...values].sort(Buffer.compare)));
}

/** `[number]` around a whole value. */
export function derExplicit(number: number, value: Uint8Array): Buffer {
  return derValue(0xa0 | number, value);
}

/** `[number]` in the place of a primitive value's own tag. */
export function derImplicit(number: number, content: Uint8Array): Buffer {
  return derValue(0x80 | number, content);
}

export function derBoolean(value: boolean): Buffer {
  return derValue(tags.boolean, Buffer.from([value ? 0xff : 0]));
}

/** A number that is not negative, as bytes with the highest first. */
export function derInteger(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const significant = start < 0 ? Buffer.from([0]) : bytes.subarray(start);
  const negative = ((significant[0] ?? 0) & 0x80) !== 0;
  return derValue(tags.integer, negative ? Buffer.concat([Buffer.from([0]), significant]) : significant);
}

export function derNull(): Buffer {
  return derValue(tags.null, Buffer.alloc(0));
}

/** Whole bytes only. */
export function derBitString(bytes: Uint8Array): Buffer {
  return derValue(tags.bitString, Buffer.concat([Buffer.from([0]), bytes]));
}

/** A list of flags by their numbers; zeros at the end are left out, as DER wants it for named bits. */
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

/** From its usual form, `2.5.4.3`. */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return derValue(tags.oid, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** PrintableString where the text allows it and UTF8String else, as Go's encoder chooses. */
export function derText(text: string): Buffer {
  const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text);
  return derValue(printable ? textTags.printable : textTags.utf8, Buffer.from(text, 'utf8'));
}

/** To the second. UTCTime up to 2049, GeneralizedTime from then on, as RFC 5280 wants it. */
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
