/** A number of a file of its own; `max` is undefined, as is a missing file or one that holds no number. Negative ones are 0. */
export function kernelNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? undefined : Math.max(0, value);
}

/** Lines of `name value`. Negative values, which some kernels print by mistake, are 0. */
export function keyedNumbers(text: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) values.set(line.slice(0, space), Math.max(0, Number.parseInt(line.slice(space + 1), 10) || 0));
  }
  return values;
}

// v1 says "no limit" by the largest number of pages.
const unlimitedBytes = 2 ** 62;

/** Bytes of a limit; undefined when it is `max` or larger than anything. */
export function limitBytes(text: string | undefined): number | undefined {
  const bytes = kernelNumber(text);
  return bytes === undefined || bytes > unlimitedBytes ? undefined : bytes;
}

/** How many lines a list of processes has. */
export function lineCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
