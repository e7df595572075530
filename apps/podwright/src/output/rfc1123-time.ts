import { parseRfc3339 } from '@podwright/time';

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A timestamp of the API in the local time zone: `Mon, 02 Jan 2006 15:04:05 -0700`, Go's time.RFC1123Z. */
export function rfc1123Time(timestamp: string | undefined): string {
  const ms = timestamp === undefined ? undefined : parseRfc3339(timestamp);
  // Go prints a missing time as the year 1.
  if (ms === undefined) return 'Mon, 01 Jan 0001 00:00:00 +0000';
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  const offset = -date.getTimezoneOffset();
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}${two(Math.abs(offset) % 60)}`;
  const day = `${days[date.getDay()] ?? ''}, ${two(date.getDate())} ${months[date.getMonth()] ?? ''}`;
  return `${day} ${String(date.getFullYear()).padStart(4, '0')} ${clock} ${zone}`;
}
