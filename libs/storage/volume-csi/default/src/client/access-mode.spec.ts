import { describe, expect, it } from '@jest/globals';
import { csiAccessMode } from './access-mode.js';

describe('the access mode for a driver', () => {
  it.each([
    ['ReadWriteOnce', 1, 7],
    ['ReadOnlyMany', 3, 3],
    ['ReadWriteMany', 5, 5],
    ['ReadWriteOncePod', 1, 6],
    ['Other', 0, 0],
  ])('%s is %i, with SINGLE_NODE_MULTI_WRITER %i', (mode, simple, capable) => {
    expect([csiAccessMode(mode, false), csiAccessMode(mode, true)]).toEqual([simple, capable]);
  });
});
