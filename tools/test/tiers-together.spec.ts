import { describe, expect, it } from '@jest/globals';
import { tierNames } from './options.js';
import { tiersTogether } from './tiers-together.js';

describe('tiers together', () => {
  it('are the static checks beside the specs with containers, and each other tier alone', () => {
    expect(tiersTogether(tierNames)).toEqual([
      ['unit'],
      ['simulation'],
      ['integration', 'static'],
      ['node-vm'],
      ['packages'],
    ]);
  });

  it('are none without containers', () => {
    expect(tiersTogether(['static', 'unit'])).toEqual([['static'], ['unit']]);
    expect(tiersTogether([])).toEqual([]);
  });
});
