import type { Slice } from './nodes.js';
import { pathFault } from './path-fault.js';

/** What stands between `[` and `]`, when it is no key: `0`, `-1`, `1:3`, `::2`, `*`. */
export function parseSlice(text: string): Slice {
  if (text === '*') return { start: undefined, end: undefined, step: undefined };
  const match = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(text);
  if (match === null) throw pathFault(`invalid array index ${text}`);
  const [, start, end, step] = match;
  return { start: number(start), end: end === undefined ? 'single' : number(end), step: number(step) };
}

function number(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
}
