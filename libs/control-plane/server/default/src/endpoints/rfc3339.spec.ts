import { describe, expect, it } from '@jest/globals';
import { formatRfc3339, parseRfc3339 } from './rfc3339.js';

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

it('formatRfc3339 names the moment that it is given', () => {
  const ms = Date.UTC(2026, 5, 7, 8, 9, 10);
  const text = formatRfc3339(ms);
  expect(text).toMatch(/^2026-06-\d\dT\d\d:\d\d:10(?:Z|[+-]\d\d:\d\d)$/);
  expect(parseRfc3339(text)).toBe(ms);
});
