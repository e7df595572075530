import { describe, expect, it } from '@jest/globals';
import { parseTestOptions, tierNames } from './options.js';

describe('parseTestOptions', () => {
  it('runs every tier without arguments', () => {
    expect(parseTestOptions([])).toEqual({ tiers: [...tierNames], paths: [] });
  });

  it('takes tiers in the order they run in, whatever the order given', () => {
    expect(parseTestOptions(['--tier', 'simulation', '--tier=unit']).tiers).toEqual(['unit', 'simulation']);
  });

  it('leaves the packed packages out when a path is given', () => {
    const { tiers, paths } = parseTestOptions(['./libs/runtime/pleg/']);
    expect(paths).toEqual(['libs/runtime/pleg']);
    expect(tiers).toEqual(['static', 'unit', 'simulation', 'integration', 'node-vm']);
  });

  it.each([[['--tier', 'smoke']], [['--watch']]])('refuses %j with the usage', (args) => {
    expect(() => parseTestOptions(args)).toThrow('usage: npm test');
  });
});
