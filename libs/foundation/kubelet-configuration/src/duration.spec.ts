import { describe, expect, it } from '@jest/globals';
import { durationToMs, durationToNanoseconds, formatDuration } from './duration.js';

describe('durations', () => {
  it.each([
    ['0', '0s'],
    ['0s', '0s'],
    ['90s', '1m30s'],
    ['1h', '1h0m0s'],
    ['1.5s', '1.5s'],
    ['100ms', '100ms'],
    ['1500us', '1.5ms'],
    ['1500µs', '1.5ms'],
    ['1ns', '1ns'],
    ['-90s', '-1m30s'],
    ['1h1m1.001s', '1h1m1.001s'],
    ['.5m', '30s'],
    ['1.h', '1h0m0s'],
  ])('%s is written as %s', (text, canonical) => {
    expect(formatDuration(durationToNanoseconds(text))).toBe(canonical);
  });

  it.each([
    ['', 'time: invalid duration ""'],
    ['5', 'time: missing unit in duration "5"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['s', 'time: invalid duration "s"'],
    ['1s ', 'time: unknown unit "s " in duration "1s "'],
    ['999999999h', 'time: invalid duration "999999999h"'],
  ])('%j is refused', (text, message) => {
    expect(() => durationToNanoseconds(text)).toThrow(message);
  });

  it('gives milliseconds', () => {
    expect(durationToMs('1m0.5s')).toBe(60_500);
    expect(durationToMs('500us')).toBe(0.5);
  });
});
