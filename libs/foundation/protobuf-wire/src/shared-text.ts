/** The longest text to share. Ids have 64 characters; image references and label keys are rarely longer than this. */
export const longestShared = 100;

// Every relist decodes the same ids, names and keys. 4096 places hold those of a full node in less than 1 MB.
const places = 4096;
const table: string[] = new Array<string>(places).fill('');

/**
 * Decodes `length` bytes at `start` as UTF-8. It finds recent text by its bytes and returns the same string again,
 * which saves an allocation, and the hashing when it is a map key. Each place in the table holds the latest text.
 */
export function readShortText(buffer: Buffer, start: number, length: number): string {
  if (length === 0) return '';
  const place = placeOf(buffer, start, length);
  const known = table[place] as string;
  if (known.length === length && matches(known, buffer, start)) return known;
  const text = buffer.toString('utf8', start, start + length);
  // Only ASCII can match byte by byte, so other text must not replace it in the table.
  if (text.length === length) table[place] = text;
  return text;
}

/** Hashes at most 12 bytes: the first, some from the middle, and the last eight, in which numbered names differ. */
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
