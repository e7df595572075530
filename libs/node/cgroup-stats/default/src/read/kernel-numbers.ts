/** Parses a file with a single number. Undefined for `max`, a missing file or no number. Negative numbers become 0. */
export function kernelNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? undefined : Math.max(0, value);
}

/** Parses lines of `name value`. Negative values, which some kernels print by mistake, become 0. */
export function keyedNumbers(text: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) values.set(line.slice(0, space), Math.max(0, Number.parseInt(line.slice(space + 1), 10) || 0));
  }
  return values;
}

// v1 expresses "no limit" as the largest number of pages.
const unlimitedBytes = 2 ** 62;

/** Bytes of a limit; undefined for `max` and for v1's "no limit". */
export function limitBytes(text: string | undefined): number | undefined {
  const bytes = kernelNumber(text);
  return bytes === undefined || bytes > unlimitedBytes ? undefined : bytes;
}

/** Number of lines in a list of processes. */
export function lineCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
