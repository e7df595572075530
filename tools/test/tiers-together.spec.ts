import { describe, expect, it } from '@jest/globals';
import { tierNames } from './options.js';
import { tiersTogether } from './tiers-together.js';

describe('tiers together', () => {
  it('are what computes beside what waits', () => {
    expect(tiersTogether(tierNames)).toEqual([
      ['unit'],
      ['simulation'],
      ['integration', 'static'],
      ['node-vm', 'packages'],
    ]);
  });

  it('are none without what waits', () => {
    expect(tiersTogether(['static', 'unit'])).toEqual([['static'], ['unit']]);
    expect(tiersTogether([])).toEqual([]);
  });
});
