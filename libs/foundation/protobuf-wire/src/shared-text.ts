/** Longest text that is looked up; ids are 64 characters, image references and label keys rarely longer than this. */
export const longestShared = 100;

// A relist brings the same ids, names and keys every second. 4096 places hold those of a full node in under 1 MB.
const places = 4096;
const table: string[] = new Array<string>(places).fill('');

/**
 * Text of `length` bytes at `start`. Text seen lately is found by its bytes and given out again: no new string, and as a
 * map key it needs no hashing. A place holds one text; a newer one takes it over.
 */
export function readShortText(buffer: Buffer, start: number, length: number): string {
  if (length === 0) return '';
  const place = placeOf(buffer, start, length);
  const known = table[place] as string;
  if (known.length === length && matches(known, buffer, start)) return known;
  const text = buffer.toString('utf8', start, start + length);
  // Other than ASCII it never matches byte by byte, and must not push out what does.
  if (text.length === length) table[place] = text;
  return text;
}

/** From 12 bytes: the first ones, some from the middle, most from the end, where numbered names differ. */
function placeOf(buffer: Buffer, start: number, length: number): number {
  const last = start + length - 1;
  let hash = length;
  for (let at = last; at >= start && at > last - 8; at--) hash = Math.imul(hash, 31) + (buffer[at] as number);
  hash = Math.imul(hash, 31) + (buffer[start] as number);
  hash = Math.imul(hash, 31) + (buffer[start + (length >> 1)] as number);
  hash = Math.imul(hash, 31) + (buffer[start + (length >> 2)] as number);
  hash = Math.imul(hash, 31) + (buffer[start + ((length * 3) >> 2)] as number);
  return (hash ^ (hash >>> 15)) & (places - 1);
}

function matches(text: string, buffer: Buffer, start: number): boolean {
  for (let i = text.length - 1; i >= 0; i--) if (text.charCodeAt(i) !== buffer[start + i]) return false;
  return true;
}
