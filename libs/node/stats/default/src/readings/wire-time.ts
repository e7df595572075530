import { formatRfc3339 } from '@podwright/time';
/** Formats milliseconds since 1970 as in readings, with fractions, so that text comparison finds the newest. */
export function wireTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Formats Unix nanoseconds of the CRI. */
export function wireTimeOfNs(ns: bigint): string {
  return wireTime(Number(ns / 1_000_000n));
}

export function newerTime(first: string, second: string): string {
  return first < second ? second : first;
}

// Readers expect integers of 64 bits without a sign: another number of a runtime or a driver, or a sum of such, would
// spoil the whole answer for them.
const largest = 2 ** 63;

/** A copy of the readings with times truncated to seconds, as upstream prints them, and numbers from 0 to 2^63. */
export function withWholeSeconds<T extends object>(readings: T): T {
  return copy(readings) as T;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value === 'number') return Math.min(Math.max(value, 0), largest);
  if (typeof value !== 'object' || value === null) return value;
  const copied: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const isTime = (key === 'time' || key === 'startTime') && typeof member === 'string';
    copied[key] = isTime ? formatRfc3339(Date.parse(member)) : copy(member);
  }
  return copied;
}
