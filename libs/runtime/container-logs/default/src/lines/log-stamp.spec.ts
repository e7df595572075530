import { describe, expect, it } from '@jest/globals';
import { LogStamp } from './log-stamp.js';

const read = (text: string): LogStamp | undefined => {
  const stamp = new LogStamp();
  const bytes = Buffer.from(`<${text}>`);
  return stamp.read(bytes, 1, bytes.length - 1) ? stamp : undefined;
};

describe('LogStamp', () => {
  it.each([
    ['2016-10-06T00:17:09.669794202Z', '2016-10-06T00:17:09.669794202Z'],
    ['2016-10-06T00:17:09Z', '2016-10-06T00:17:09.000000000Z'],
    ['2016-10-06T00:17:09.5Z', '2016-10-06T00:17:09.500000000Z'],
    ['2016-10-06T00:17:09,25Z', '2016-10-06T00:17:09.250000000Z'],
    ['2016-10-06T00:17:09.1234567891234Z', '2016-10-06T00:17:09.123456789Z'],
    ['2016-10-06T00:17:09.000000001+02:00', '2016-10-06T00:17:09.000000001+02:00'],
    ['2016-10-06T00:17:09-00:30', '2016-10-06T00:17:09.000000000-00:30'],
    ['2016-10-06T00:17:09+00:00', '2016-10-06T00:17:09.000000000Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000000000Z'],
  ])('shows %s as %s', (text, shown) => {
    const stamp = read(text);
    expect(stamp?.toBytes().toString()).toBe(shown);
    expect(stamp?.seconds).toBe(Math.floor(Date.parse(shown.replace(/\.\d+/, '')) / 1000));
  });

  it.each([
    '',
    'Z',
    '2016-10-06',
    '2016-10-06 00:17:09Z',
    '2016-10-06T00:17:09',
    '2016-10-06T00:17:09.Z',
    '2016-10-06T00:17:09z',
    '2016-10-06T00:17:09+0200',
    '2016-13-06T00:17:09Z',
    '2016-00-06T00:17:09Z',
    '2016-04-31T00:17:09Z',
    '2023-02-29T00:17:09Z',
    '1900-02-29T00:17:09Z',
    '2016-10-06T24:17:09Z',
    '2016-10-06T00:60:09Z',
    '2016-10-06T00:17:60Z',
    '2016-10-06T00:17:0xZ',
    '2016-10-06T00:17:09+25:00',
  ])('does not take %j', (text) => expect(read(text)).toBeUndefined());

  it.each([
    ['1969-12-31T23:59:59Z', -1],
    ['1970-01-01T00:00:00Z', 0],
    ['0001-01-01T00:00:00Z', -62135596800],
    ['9999-12-31T23:59:59Z', 253402300799],
    ['2000-03-01T01:00:00+01:00', 951868800],
  ])('%s is %d', (text, seconds) => expect(read(text)?.seconds).toBe(seconds));

  it.each([
    ['2026-01-01T00:00:00.000000001Z', '2026-01-01T00:00:00.000000002Z', true],
    ['2026-01-01T00:00:00.000000002Z', '2026-01-01T00:00:00.000000002Z', false],
    ['2026-01-01T00:00:01Z', '2026-01-01T00:00:00.9Z', false],
    ['2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.1Z', true],
  ])('%s is before %s: %s', (a, b, expected) => {
    expect(read(a)?.isBefore(read(b) ?? new LogStamp())).toBe(expected);
  });

  it('takes milliseconds with fractions', () => {
    const stamp = new LogStamp();
    stamp.setMs(1500.25);
    expect([stamp.seconds, stamp.nanos]).toEqual([1, 500_250_000]);
  });
});
