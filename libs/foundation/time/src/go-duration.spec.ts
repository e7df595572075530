import { describe, expect, it } from '@jest/globals';
import { hasCode, messageOf } from '@podwright/errors';
import { formatGoDuration, parseGoDuration } from './go-duration.js';

describe('parseGoDuration', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['5s', 5000],
    ['1m30s', 90_000],
    ['100ms', 100],
    ['1.5h', 5_400_000],
    ['-1.5s', -1500],
    ['+.5s', 500],
    ['1.s', 1000],
    ['1us', 0.001],
    ['1\u00b5s', 0.001],
    ['1\u03bcs', 0.001],
    ['1ns', 1e-6],
    ['0.3333333333333333333h', 1_200_000],
    ['2562047h47m16.854775807s', 9223372036854.775807],
    ['1h0m0.1s', 3_600_100],
  ])('%s', (text, ms) => {
    expect(parseGoDuration(text)).toBeCloseTo(ms, 9);
  });

  it.each([
    ['', 'time: invalid duration ""'],
    ['3', 'time: missing unit in duration "3"'],
    ['-', 'time: invalid duration "-"'],
    ['s', 'time: invalid duration "s"'],
    ['.', 'time: invalid duration "."'],
    ['.s', 'time: invalid duration ".s"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1toString', 'time: unknown unit "toString" in duration "1toString"'],
    ['1h ', 'time: unknown unit "h " in duration "1h "'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
    ['3000000h', 'time: invalid duration "3000000h"'],
  ])('refuses %j', (text, message) => {
    const error = caught(() => parseGoDuration(text));
    expect(messageOf(error)).toBe(message);
    expect(hasCode(error, 'invalid-argument')).toBe(true);
  });
});

describe('formatGoDuration', () => {
  it.each([
    [0, '0s'],
    [1e-6, '1ns'],
    [0.0011, '1.1\u00b5s'],
    [2.2, '2.2ms'],
    [100, '100ms'],
    [1500, '1.5s'],
    [10_000, '10s'],
    [90_000, '1m30s'],
    [305_001, '5m5.001s'],
    [3_600_000, '1h0m0s'],
    [-86_400_000, '-24h0m0s'],
  ])('%p', (ms, text) => {
    expect(formatGoDuration(ms)).toBe(text);
    expect(parseGoDuration(text)).toBe(ms);
  });
});

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
