import { isUtf8 } from 'node:buffer';

/** A byte that is no part of a character, as half a surrogate pair, which no text of the API has. */
const loneByte = /([\udc80-\udcff])/u;
const loneBytes = 0xdc00;

/**
 * The value of a variable as text. A secret may have any bytes: those that are no UTF-8 become characters of which
 * {@link bytesOfVariable} makes the bytes again.
 */
export function variableOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = bytes.subarray(at, at + length);
    const isWhole = isUtf8(character);
    parts.push(isWhole ? character.toString() : String.fromCharCode(loneBytes + lead));
    at += isWhole ? character.length : 1;
  }
  return parts.join('');
}

/** The bytes of a variable's value, for the container. */
export function bytesOfVariable(text: string): Buffer {
  if (!loneByte.test(text)) return Buffer.from(text);
  const bytes = (part: string): Buffer =>
    loneByte.test(part) ? Buffer.of(part.charCodeAt(0) - loneBytes) : Buffer.from(part);
  return Buffer.concat(text.split(loneByte).map(bytes));
}
