import { describe, expect, it } from '@jest/globals';
import { wrapped } from './page.js';
import { bytes, span } from './span.js';

describe('span', () => {
  it.each([
    [-5, '0ms'],
    [999.6, '1s'],
    [4_250, '4.2s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [192_000, '3m12s'],
    [3_600_000, '1h'],
    [90_000_000, '1d1h'],
  ])('%d ms is %s', (ms, text) => {
    expect(span(ms)).toBe(text);
  });
});

describe('bytes', () => {
  it.each([
    [0, '0'],
    [1023, '1023'],
    [1536, '1.5Ki'],
    [-(2 ** 30), '-1Gi'],
    [150.4 * 2 ** 20, '150Mi'],
  ])('%d is %s', (amount, text) => {
    expect(bytes(amount)).toBe(text);
  });
});

describe('wrapped', () => {
  it('breaks lines at words, and leaves out what would change the terminal', () => {
    expect(wrapped('one \u001b[31mtwo\nthree\u202e four', 12)).toEqual(['one [31mtwo', 'three four']);
  });
});
