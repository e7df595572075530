/** Formats local time in Go's layout UnixDate: `Mon Jan _2 15:04:05 MST 2006`. */
export function unixDate(ms: number): string {
  const format = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    year: 'numeric',
    timeZoneName: 'short',
  });
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const {
    weekday = '',
    month = '',
    day = '',
    hour = '',
    minute = '',
    second = '',
    timeZoneName = '',
    year = '',
  } = parts;
  return `${weekday} ${month} ${day.padStart(2)} ${hour}:${minute}:${second} ${timeZoneName} ${year}`;
}
