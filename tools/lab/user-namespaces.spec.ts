import { describe, expect, it } from '@jest/globals';
import { isAtLeast } from './runc.js';

describe('versions of runc and Linux', () => {
  it.each([
    ['1.1.5+ds1', false],
    ['1.2.0', true],
    ['1.3.6+ds1-1', true],
    ['1.10.0', true],
    ['2.0', true],
    ['0.9', false],
    ['unknown', false],
  ])('%s has what user namespaces need: %s', (version, expected) => {
    expect(isAtLeast(version, [1, 2])).toBe(expected);
  });
});
