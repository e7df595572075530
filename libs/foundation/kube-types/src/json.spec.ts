import { expect, it } from '@jest/globals';
import { isJsonObject } from './json.js';

it.each<[unknown, boolean]>([
  [{}, true],
  [{ a: 1 }, true],
  [Object.create(null), true],
  [null, false],
  [undefined, false],
  [[], false],
  ['{}', false],
  [1, false],
])('isJsonObject(%j)', (value, expected) => {
  expect(isJsonObject(value)).toBe(expected);
});
