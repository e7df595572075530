const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** `1.5 GiB`. */
export function bytes(value: number): string {
  const sign = value < 0 ? '−' : '';
  let rest = Math.abs(value);
  let unit = 0;
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  return `${sign}${digits(rest)} ${units[unit] ?? 'B'}`;
}

/** Three significant digits at most, and no more than are needed. */
export function digits(value: number): string {
  if (value >= 100 || Number.isInteger(value)) return String(Math.round(value));
  return value.toFixed(value >= 10 ? 1 : 2).replace(/\.?0+$/, '');
}

/** Cores: `1.25`, below one `250m`. */
export function cores(millis: number): string {
  if (millis !== 0 && Math.abs(millis) < 1000) return `${Math.abs(millis) < 1 ? digits(millis) : Math.round(millis)}m`;
  return digits(millis / 1000);
}

export const coresOfNano = (nanoCores: number): string => cores(nanoCores / 1e6);

/** A quantity of a resource of the node, in words. */
export function ofResource(name: string, value: number): string {
  if (name === 'cpu') return cores(value);
  if (/memory|storage|hugepages/.test(name)) return bytes(value);
  return digits(value);
}

export function percent(part: number, whole: number): string {
  return whole <= 0 ? '–' : `${digits((part / whole) * 100)} %`;
}

/** `350 ms`, `12.5 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${digits(Math.round(ms / 100) / 10)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return pair(seconds, 60, 'min', 1, 's');
  if (seconds < 86_400) return pair(seconds, 3600, 'h', 60, 'min');
  return pair(seconds, 86_400, 'd', 3600, 'h');
}

function pair(seconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % large) / small);
  const first = `${Math.floor(seconds / large)} ${largeUnit}`;
  return rest === 0 ? first : `${first} ${rest} ${smallUnit}`;
}

/** Whole seconds, because it counts up while somebody looks. */
export function age(ms: number): string {
  return duration(Math.max(0, Math.floor(ms / 1000) * 1000)).replace(/^0 ms$/, '0 s');
}

const clockFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dateFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** `14:03:59`. */
export const clock = (atMs: number): string => clockFormat.format(atMs);
/** `26 Nov 2026, 14:03:59`. */
export const dateAndClock = (atMs: number): string => `${dateFormat.format(atMs)}, ${clock(atMs)}`;

/** `backOffUntilMs` becomes `back off until`, `inARow` `in a row`. */
export const wordsOf = (field: string): string =>
  field
    .replace(/(?:Ms|Bytes)$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase();

/** A number of a field whose name ends with its unit. */
export function ofField(field: string, value: number): string {
  if (/(?:At|Until|Since)Ms$/.test(field)) return clock(value);
  if (field.endsWith('Ms')) return duration(value);
  return field.endsWith('Bytes') || field === 'bytesToFree' ? bytes(value) : String(value);
}

export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** A quantity of an eviction signal: bytes, inodes or process IDs. */
export const ofSignal = (signal: string, value: number): string =>
  /inodes|pid/i.test(signal) ? value.toLocaleString('en-GB') : bytes(value);
