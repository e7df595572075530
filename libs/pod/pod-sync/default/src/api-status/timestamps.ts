import { formatRfc3339 } from '@podwright/time';

/**
 * Formats a time as the API stores it: RFC 3339 with whole seconds. `nanoseconds` since 1970. A runtime says 0 for a
 * start that failed, which upstream shows as 1970 too.
 */
export function apiTime(nanoseconds: bigint): string {
  return formatRfc3339(Number(nanoseconds / 1_000_000n));
}
