/** Milliseconds since 1970 in the form that the readings carry, fractions included: what is newest can be compared as text. */
export function wireTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Unix nanoseconds of the CRI. */
export function wireTimeOfNs(ns: bigint): string {
  return wireTime(Number(ns / 1_000_000n));
}

export function newerTime(first: string, second: string): string {
  return first < second ? second : first;
}

/** A copy of readings as upstream prints them: times without fractions of a second. */
export function withWholeSeconds<T extends object>(readings: T): T {
  return copy(readings) as T;
}

const fraction = /\.\d+Z$/;

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  const copied: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const isTime = (key === 'time' || key === 'startTime') && typeof member === 'string';
    copied[key] = isTime ? member.replace(fraction, 'Z') : copy(member);
  }
  return copied;
}
