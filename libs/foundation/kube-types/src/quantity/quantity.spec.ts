import { describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { canonicalQuantity, formatQuantity } from './format-quantity.js';
import { parseQuantity, tryParseQuantity } from './quantity.js';
import {
  addQuantities,
  compareQuantities,
  quantityToBytes,
  quantityToMilli,
  quantityValue,
  roundUpToMilli,
} from './quantity-values.js';

describe('quantities', () => {
  it.each([
    ['0', '0'],
    ['0Mi', '0'],
    ['1', '1'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1.', '1'],
    ['+1', '1'],
    ['-5m', '-5m'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['1500', '1500'],
    ['12000', '12k'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['1024', '1024'],
    ['1Ki', '1Ki'],
    ['0.5Ki', '512'],
    ['0.3Ki', '307200m'],
    ['100.5Ki', '102912'],
    ['1e3', '1e3'],
    ['12E2', '1200'],
    ['1E', '1E'],
    ['1e-3', '1e-3'],
    ['0.0000000001', '1n'],
    ['100u', '100u'],
    ['1500000n', '1500u'],
    ['10Ei', '9223372036854775807'],
    ['1e99', '9223372036854775807'],
    ['123456789012345678', '123456789012345678'],
  ])('%s is written as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each(['', ' 1', '1 ', '.', '1ki', '1mi', 'Mi', '1.2.3', '--1', '1KiB', '0x10', 'NaN', '1e', '1 Gi', '1K'])(
    '%j is refused',
    (text) => {
      expect(tryParseQuantity(text)).toBeUndefined();
      expect(() => parseQuantity(text)).toThrow(/quantities must match/);
    },
  );

  it('throws an invalid-argument error', () => {
    let thrown: unknown;
    try {
      parseQuantity('x');
    } catch (error) {
      thrown = error;
    }
    expect(hasCode(thrown, 'invalid-argument')).toBe(true);
  });

  it.each([
    ['100m', 100],
    ['1', 1000],
    ['1u', 1],
    ['2.5', 2500],
    ['-1u', -1],
    [undefined, 0],
  ])('%s is %d thousandths', (text, milli) => {
    expect(quantityToMilli(text)).toBe(milli);
  });

  it.each([
    ['128Mi', 134217728],
    ['1500m', 2],
    ['1k', 1000],
    ['1G', 1e9],
  ])('%s is %d bytes', (text, bytes) => {
    expect(quantityToBytes(text)).toBe(bytes);
  });

  it('keeps 64-bit values exact', () => {
    expect(quantityValue('9223372036854775807')).toBe(9223372036854775807n);
    expect(formatQuantity(parseQuantity('9007199254740993'))).toBe('9007199254740993');
  });

  it('compares by value and adds in the notation of the first', () => {
    expect(compareQuantities('1024Mi', '1Gi')).toBe(0);
    expect(compareQuantities('1', '1001m')).toBe(-1);
    expect(formatQuantity(addQuantities(parseQuantity('1Gi'), parseQuantity('1024')))).toBe('1048577Ki');
    expect(formatQuantity(addQuantities(parseQuantity('0'), parseQuantity('2Ki')))).toBe('2Ki');
    expect(formatQuantity(roundUpToMilli(parseQuantity('1u')))).toBe('1m');
  });
});
