import { formatRfc3339 } from '@podwright/time';
/** Formats a time as the API stores it: RFC 3339 with whole seconds. `nanoseconds` since 1970; 0n gives undefined. */
export function apiTime(nanoseconds: bigint): string | undefined {
  if (nanoseconds === 0n) return undefined;
  return formatRfc3339(Number(nanoseconds / 1_000_000n));
}
