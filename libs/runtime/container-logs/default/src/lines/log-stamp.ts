import { daysInMonth } from '@podwright/time';
const dateLength = 19; // 2006-01-02T15:04:05
const digit0 = 0x30;
const newZone = (): Buffer => Buffer.from('Z');

/**
 * The time of a log line, to the nanosecond; a JavaScript Date has only milliseconds. One object is reused for all
 * lines of a log, because an object per line costs too much.
 */
export class LogStamp {
  /** Seconds since 1970; `nanos` is the fraction in nanoseconds. */
  seconds = 0;
  nanos = 0;
  private readonly date = Buffer.from('0001-01-01T00:00:00');
  private zone = newZone();

  /** Parses RFC 3339 with any fraction. Returns false for other bytes; the stamp is undefined then. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start <= dateLength || !hasPunctuation(bytes, start)) return false;
    const year = number(bytes, start, 4);
    const month = number(bytes, start + 5, 2);
    const day = number(bytes, start + 8, 2);
    const hour = number(bytes, start + 11, 2);
    const minute = number(bytes, start + 14, 2);
    const second = number(bytes, start + 17, 2);
    const inRange = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
    if (year < 0 || !inRange || outside(hour, 23) || outside(minute, 59) || outside(second, 59)) return false;
    const zoneStart = this.readFraction(bytes, start + dateLength, end);
    const offsetMinutes = zoneOffset(bytes, zoneStart, end);
    if (offsetMinutes === undefined) return false;
    for (let at = 0; at < dateLength; at++) this.date[at] = bytes[start + at] ?? 0;
    this.zone = offsetMinutes === 0 ? utc : Buffer.from(bytes.subarray(zoneStart, end));
    const minutes = (daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offsetMinutes;
    this.seconds = minutes * 60 + second;
    return true;
  }

  /** Sets the time to milliseconds since 1970. */
  setMs(ms: number): void {
    this.seconds = Math.floor(ms / 1000);
    this.nanos = Math.round((ms - this.seconds * 1000) * 1e6);
  }

  copyTime(other: LogStamp): void {
    this.seconds = other.seconds;
    this.nanos = other.nanos;
  }

  isBefore(other: LogStamp): boolean {
    return this.seconds < other.seconds || (this.seconds === other.seconds && this.nanos < other.nanos);
  }

  /** The time as the client sees it: always nine digits of fraction, in the time zone of the line. */
  toBytes(): Buffer {
    return Buffer.concat([this.date, Buffer.from(`.${String(this.nanos).padStart(9, '0')}`), this.zone]);
  }

  /** Sets the nanoseconds; returns where the zone begins. Ignores digits after the ninth. */
  private readFraction(bytes: Uint8Array, start: number, end: number): number {
    this.nanos = 0;
    if (bytes[start] !== 0x2e && bytes[start] !== 0x2c) return start;
    let at = start + 1;
    let unit = 100_000_000;
    for (; at < end && isDigit(bytes[at]); at++) {
      this.nanos += unit * ((bytes[at] ?? digit0) - digit0);
      unit = Math.floor(unit / 10);
    }
    return at === start + 1 ? end : at;
  }
}

const utc = newZone();

function hasPunctuation(bytes: Uint8Array, start: number): boolean {
  return (
    bytes[start + 4] === 0x2d &&
    bytes[start + 7] === 0x2d &&
    bytes[start + 10] === 0x54 &&
    bytes[start + 13] === 0x3a &&
    bytes[start + 16] === 0x3a
  );
}

/** Parses a decimal number; -1 when one of the bytes is not a digit. */
function number(bytes: Uint8Array, start: number, length: number): number {
  let value = 0;
  for (let at = start; at < start + length; at++) {
    const byte = bytes[at];
    if (byte === undefined || !isDigit(byte)) return -1;
    value = value * 10 + byte - digit0;
  }
  return value;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= digit0 && byte <= 0x39;
}

function outside(value: number, most: number): boolean {
  return value < 0 || value > most;
}

/** Offset from UTC in minutes, positive to the east, of `Z` or `+01:00`; undefined for other text. */
function zoneOffset(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (end - start === 1) return bytes[start] === 0x5a ? 0 : undefined;
  const sign = bytes[start] === 0x2b ? 1 : bytes[start] === 0x2d ? -1 : 0;
  if (end - start !== 6 || sign === 0 || bytes[start + 3] !== 0x3a) return undefined;
  const hours = number(bytes, start + 1, 2);
  const minutes = number(bytes, start + 4, 2);
  return outside(hours, 24) || outside(minutes, 60) ? undefined : sign * (hours * 60 + minutes);
}

/** Counts in eras of 400 years, with March as the first month so that a leap day is the last day of its year. */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
