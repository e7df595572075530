const layout = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,]\d+)?(?:Z|([+-])(\d\d):(\d\d))$/;

/**
 * Parses a time as Go's time.Parse(time.RFC3339) does, to milliseconds since 1970; undefined when it is malformed.
 * Unlike Go, it refuses an hour with one digit.
 */
export function parseRfc3339(text: string): number | undefined {
  const match = layout.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [zoneHours, zoneMinutes] = [Number(match[8] ?? 0), Number(match[9] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || zoneHours > 24 || zoneMinutes > 60) return undefined;
  const fraction = /[.,](\d+)/.exec(text)?.[1];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const zoneMs = (match[7] === '-' ? -1 : 1) * (zoneHours * 60 + zoneMinutes) * 60_000;
  return date.getTime() - zoneMs + (fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000));
}

/**
 * Formats a UTC time: without a fraction, as the API writes metav1.Time, with 6 digits, as metav1.MicroTime, or with 9
 * (nanoseconds). Digits below a millisecond are zeros. Throws RangeError for NaN and infinities.
 */
export function formatRfc3339(ms: number, fractionDigits: 0 | 6 | 9 = 0): string {
  const [seconds = '', fraction = ''] = new Date(ms).toISOString().slice(0, -1).split('.');
  return fractionDigits === 0 ? `${seconds}Z` : `${seconds}.${fraction.padEnd(fractionDigits, '0')}Z`;
}

/** Formats a local time in seconds with its zone, `Z` for UTC, as Go's layout time.RFC3339. */
export function formatLocalRfc3339(ms: number): string {
  const minutes = -new Date(ms).getTimezoneOffset();
  const local = new Date(ms + minutes * 60_000).toISOString().slice(0, 19);
  if (minutes === 0) return `${local}Z`;
  const size = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

/** `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
