import { describe, expect, it } from '@jest/globals';
import { deepEqual } from './deep-equal.js';

describe('deepEqual', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1 }, { a: 1 }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: [] }, {}, true],
    [{}, { a: [] }, true],
    [{ a: null }, {}, true],
    [{ labels: {} }, {}, true],
    [{ emptyDir: {} }, {}, false],
    [{ limits: { cpu: '1' } }, { limits: { cpu: '1000m' } }, true],
    [{ limits: { cpu: '1' } }, { limits: { cpu: '2' } }, false],
    [{ labels: { cpu: '1' } }, { labels: { cpu: '1000m' } }, false],
    [{ sizeLimit: '1Gi' }, { sizeLimit: '1024Mi' }, true],
    [[1, 2], [1, 2], true],
    [[1, 2], [2, 1], false],
    [[1], { 0: 1 }, false],
    ['a', 'a', true],
    [null, undefined, true],
    [0, null, false],
    [{ a: { b: { c: [{ d: 1 }] } } }, { a: { b: { c: [{ d: 1 }] } } }, true],
    [{ hasOwnProperty: 1 }, { hasOwnProperty: 1 }, true],
    [{ constructor: 1 }, {}, false],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(deepEqual(a, b)).toBe(expected);
    expect(deepEqual(b, a)).toBe(expected);
  });
});
