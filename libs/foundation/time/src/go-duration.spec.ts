import { describe, expect, it } from '@jest/globals';
import { hasCode, messageOf } from '@podwright/errors';
import { formatGoDuration, formatGoNanoseconds, parseGoDuration, parseGoNanoseconds } from './go-duration.js';

const us = 1_000n;
const ms = 1_000n * us;
const second = 1_000n * ms;
const minute = 60n * second;
const hour = 60n * minute;
const largest = 2n ** 63n - 1n;

// Source: Go src/time/time_test.go, parseDurationTests, parseDurationErrorTests and durationTests.
describe('parseGoNanoseconds', () => {
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['+0', 0n],
    ['0s', 0n],
    ['5s', 5n * second],
    ['1478s', 1478n * second],
    ['-5s', -5n * second],
    ['+5s', 5n * second],
    ['5.0s', 5n * second],
    ['5.6s', 5n * second + 600n * ms],
    ['5.s', 5n * second],
    ['.5s', 500n * ms],
    ['1.0040s', second + 4n * ms],
    ['100.00100s', 100n * second + ms],
    ['10ns', 10n],
    ['11us', 11n * us],
    ['12\u00b5s', 12n * us],
    ['12\u03bcs', 12n * us],
    ['13ms', 13n * ms],
    ['15m', 15n * minute],
    ['16h', 16n * hour],
    ['3h30m', 3n * hour + 30n * minute],
    ['10.5s4m', 4n * minute + 10n * second + 500n * ms],
    ['-2m3.4s', -(2n * minute + 3n * second + 400n * ms)],
    ['1h2m3s4ms5us6ns', hour + 2n * minute + 3n * second + 4n * ms + 5n * us + 6n],
    ['39h9m14.425s', 39n * hour + 9n * minute + 14n * second + 425n * ms],
    // Cut as floating point cuts it, not as exact decimals would (1199999999999).
    ['0.3333333333333333333h', 20n * minute],
    ['9007199254740993ns', 2n ** 53n + 1n],
    ['9223372036854775807ns', largest],
    ['9223372036854775.807us', largest],
    ['9223372036s854ms775us807ns', largest],
    ['-9223372036854775808ns', -largest - 1n],
    ['-2562047h47m16.854775808s', -largest - 1n],
    ['0.100000000000000000000h', 6n * minute],
    ['0.830103483285477580700h', 49n * minute + 48n * second + 372_539_827n],
    // Zeros before and after the digits that count.
    ['000000000000000000000000001s', second],
    [`0.000000000000${'9'.repeat(30)}h`, 3n],
    [`1.${'0'.repeat(400)}1s`, second],
  ])('%s', (text, nanoseconds) => {
    expect(parseGoNanoseconds(text)).toBe(nanoseconds);
  });

  it.each([
    ['', '""'],
    ['-', '"-"'],
    ['s', '"s"'],
    ['.', '"."'],
    ['-.', '"-."'],
    ['+.s', '"+.s"'],
    ['1s-1s', '"1s-1s"', 'unknown unit "s-" in duration'],
    ['3', '"3"', 'missing unit in duration'],
    ['1d', '"1d"', 'unknown unit "d" in duration'],
    ['1toString', '"1toString"', 'unknown unit "toString" in duration'],
    ['1s ', '"1s "', 'unknown unit "s " in duration'],
    ['\ufffd', String.raw`"\xef\xbf\xbd"`],
    ['a"\\\n\u00fc', String.raw`"a\"\\\x0a\xc3\xbc"`],
    ['9223372036854775810ns', '"9223372036854775810ns"'],
    ['9223372036854775808ns', '"9223372036854775808ns"'],
    ['-9223372036854775809ns', '"-9223372036854775809ns"'],
    ['9223372036854775.808us', '"9223372036854775.808us"'],
    ['9223372036854ms775us808ns', '"9223372036854ms775us808ns"'],
    ['3000000h', '"3000000h"'],
    ['99999999999999999999d', '"99999999999999999999d"'],
  ])('refuses %j', (text, quoted, what = 'invalid duration') => {
    const error = caught(() => parseGoNanoseconds(text));
    expect(messageOf(error)).toBe(`time: ${what} ${quoted}`);
    expect(hasCode(error, 'invalid-argument')).toBe(true);
  });
});

describe('formatGoNanoseconds', () => {
  it.each([
    [0n, '0s'],
    [1n, '1ns'],
    [1_100n, '1.1\u00b5s'],
    [2_200n * us, '2.2ms'],
    [3_300n * ms, '3.3s'],
    [4n * minute + 5n * second, '4m5s'],
    [4n * minute + 5_001n * ms, '4m5.001s'],
    [5n * hour + 6n * minute + 7_001n * ms, '5h6m7.001s'],
    [8n * minute + 1n, '8m0.000000001s'],
    [largest, '2562047h47m16.854775807s'],
    [-largest - 1n, '-2562047h47m16.854775808s'],
  ])('%s', (nanoseconds, text) => {
    expect(formatGoNanoseconds(nanoseconds)).toBe(text);
    expect(parseGoNanoseconds(text)).toBe(nanoseconds);
  });
});

describe('durations in milliseconds', () => {
  it.each([
    [0, '0s'],
    [1e-6, '1ns'],
    [0.0011, '1.1\u00b5s'],
    [0.5, '500\u00b5s'],
    [100, '100ms'],
    [1500, '1.5s'],
    [60_500, '1m0.5s'],
    [305_001, '5m5.001s'],
    [3_600_000, '1h0m0s'],
    [-86_400_000, '-24h0m0s'],
  ])('%p', (milliseconds, text) => {
    expect(formatGoDuration(milliseconds)).toBe(text);
    expect(parseGoDuration(text)).toBe(milliseconds);
  });

  it('keeps whole milliseconds of centuries', () => {
    expect(parseGoDuration('2562047h47m16.854s')).toBe(9_223_372_036_854);
  });

  it.each([NaN, Infinity])('refuses to print %p', (milliseconds) => {
    expect(() => formatGoDuration(milliseconds)).toThrow('not a duration');
  });
});

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
