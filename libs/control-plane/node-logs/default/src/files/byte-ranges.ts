export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** As in Go, a request for more ranges gets the whole file. */
const mostRanges = 200;

/**
 * The ranges of a Range header for a file of `size` bytes; an empty list means the whole file. `unsatisfiable`: all of
 * them start beyond its end. Source: Go net/http/fs.go (parseRange).
 */
export function parseRanges(
  header: string | undefined,
  size: number,
): readonly ByteRange[] | 'invalid' | 'unsatisfiable' {
  if (header === undefined || header === '') return [];
  if (!header.startsWith('bytes=')) return 'invalid';
  const parts = header.slice('bytes='.length).split(',', mostRanges + 1);
  if (parts.length > mostRanges) return [];
  const ranges: ByteRange[] = [];
  let isBehind = false;
  for (const part of parts) {
    const spec = part.trim();
    if (spec === '') continue;
    const match = /^(\d*)\s*-\s*(\d*)$/.exec(spec);
    if (match === null) return 'invalid';
    const [, first = '', last = ''] = match;
    if (first === '') {
      if (last === '') return 'invalid';
      const start = Math.max(0, size - Number(last));
      ranges.push({ start, length: size - start });
      continue;
    }
    const start = Number(first);
    if (start >= size) {
      isBehind = true;
      continue;
    }
    if (last !== '' && Number(last) < start) return 'invalid';
    const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
    ranges.push({ start, length: end - start + 1 });
  }
  if (isBehind && ranges.length === 0) return 'unsatisfiable';
  // A request for more bytes than the file has looks like an attack.
  const asked = ranges.reduce((sum, { length }) => sum + length, 0);
  return asked > size ? [] : ranges;
}

/** The value of Content-Range. */
export const contentRange = ({ start, length }: ByteRange, size: number): string =>
  `bytes ${start}-${start + length - 1}/${size}`;
