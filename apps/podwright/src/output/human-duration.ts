import { parseRfc3339 } from '@podwright/time';

/** A duration as kubectl shows ages: `5s`, `2m30s`, `3h5m`, `4d2h`. Source: kubernetes v1.36 apimachinery/pkg/util/duration. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 24 * 8) return pair(days, 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return hours < 24 * 365 * 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** The time since a timestamp of the API, `<unknown>` without one. */
export function age(timestamp: string | undefined | null, nowMs: number): string {
  const at = timestamp === undefined || timestamp === null ? undefined : parseRfc3339(timestamp);
  return at === undefined ? '<unknown>' : humanDuration(nowMs - at);
}
