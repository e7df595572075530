import { describe, expect, it } from '@jest/globals';
import { tierNames } from './options.js';
import { tiersTogether } from './tiers-together.js';

describe('tiers together', () => {
  it('are what computes beside what waits', () => {
    expect(tiersTogether(tierNames)).toEqual({
      main: ['integration', 'node-vm'],
      beside: ['unit', 'static', 'packages', 'simulation'],
    });
    expect(tiersTogether(['simulation', 'node-vm'])).toEqual({ main: ['node-vm'], beside: ['simulation'] });
  });

  it('are none without what waits', () => {
    expect(tiersTogether(['static', 'unit'])).toEqual({ main: ['static', 'unit'], beside: [] });
    expect(tiersTogether([])).toEqual({ main: [], beside: [] });
  });
});
