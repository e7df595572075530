const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/**
 * Formats a duration with at most two units, such as `5m3s` or `2d4h`; longer ones have one.
 * Source: kubernetes v1.36 apimachinery/pkg/util/duration HumanDuration.
 */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1_000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return two(seconds, minute, 'm', 1, 's');
  if (seconds < 3 * hour) return `${Math.floor(seconds / minute)}m`;
  if (seconds < 8 * hour) return two(seconds, hour, 'h', minute, 'm');
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)}h`;
  if (seconds < 8 * day) return two(seconds, day, 'd', hour, 'h');
  if (seconds < 2 * year) return `${Math.floor(seconds / day)}d`;
  if (seconds < 8 * year) return two(seconds, year, 'y', day, 'd');
  return `${Math.floor(seconds / year)}y`;
}

function two(seconds: number, unit: number, name: string, lesser: number, lesserName: string): string {
  const rest = Math.floor((seconds % unit) / lesser);
  return `${Math.floor(seconds / unit)}${name}${rest === 0 ? '' : `${rest}${lesserName}`}`;
}

/** The time since a timestamp of the API; `<unknown>` without one. */
export function ageOf(timestamp: string | undefined, nowMs: number): string {
  return timestamp === undefined || timestamp === '' ? '<unknown>' : humanDuration(nowMs - Date.parse(timestamp));
}
