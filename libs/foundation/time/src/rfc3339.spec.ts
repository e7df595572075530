import { describe, expect, it } from '@jest/globals';
import { daysInMonth, formatLocalRfc3339, formatRfc3339, parseRfc3339 } from './rfc3339.js';

describe('parseRfc3339', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.1239Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05+01:30', '2026-01-02T01:34:05.000Z'],
    ['2026-01-02T03:04:05-10:00', '2026-01-02T13:04:05.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (text, moment) => {
    expect(new Date(parseRfc3339(text) ?? Number.NaN).toISOString()).toBe(moment);
  });

  it.each([
    '',
    'yesterday',
    '2026-01-02',
    '2026-01-02 03:04:05Z',
    '2026-01-02T03:04:05',
    '2026-13-02T03:04:05Z',
    '2026-02-29T03:04:05Z',
    '2026-01-02T24:00:00Z',
    '2026-01-02T03:04:60Z',
    '2026-01-02t03:04:05z',
    ' 2026-01-02T03:04:05Z',
  ])('refuses %j', (text) => {
    expect(parseRfc3339(text)).toBeUndefined();
  });
});

describe('formatRfc3339', () => {
  it.each([
    [Date.UTC(2026, 0, 2, 3, 4, 5, 67), '2026-01-02T03:04:05Z', '067'],
    [0.999, '1970-01-01T00:00:00Z', '000'],
    [-1, '1969-12-31T23:59:59Z', '999'],
    [Date.UTC(9999, 11, 31, 23, 59, 59, 999), '9999-12-31T23:59:59Z', '999'],
  ])('%p', (ms, text, fraction) => {
    expect(formatRfc3339(ms)).toBe(text);
    expect(formatRfc3339(ms, 6)).toBe(text.replace('Z', `.${fraction}000Z`));
    expect(formatRfc3339(ms, 9)).toBe(text.replace('Z', `.${fraction}000000Z`));
  });

  it('throws for what is no time', () => {
    expect(() => formatRfc3339(NaN)).toThrow(RangeError);
  });
});

it('formatLocalRfc3339 names the moment that it is given', () => {
  const ms = Date.UTC(2026, 5, 7, 8, 9, 10);
  const text = formatLocalRfc3339(ms);
  expect(text).toMatch(/^2026-06-\d\dT\d\d:\d\d:10(?:Z|[+-]\d\d:\d\d)$/);
  expect(parseRfc3339(text)).toBe(ms);
});

it.each([
  [2026, 1, 31],
  [2026, 4, 30],
  [2026, 2, 28],
  [2024, 2, 29],
  [1900, 2, 28],
  [2000, 2, 29],
])('%i-%i has %i days', (year, month, days) => {
  expect(daysInMonth(year, month)).toBe(days);
});
