import { describe, expect, it } from '@jest/globals';
import { parseTestOptions, tierNames, usage } from './options.js';

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

  it('runs what is affected in the quick tiers unless others are named', () => {
    expect(parseTestOptions(['--affected'])).toEqual({ tiers: ['static', 'unit'], paths: [], affected: {} });
    expect(parseTestOptions(['--affected', '--base=topic', '--tier', 'simulation'])).toEqual({
      ...{ tiers: ['simulation'], paths: [] },
      affected: { base: 'topic' },
    });
  });

  it.each([
    [['--base', 'topic'], '--base "topic" says what --affected compares with; add --affected'],
    [['--affected', '--base'], '--base needs a value: COMMIT'],
    [['--affected', 'libs/x'], 'PATH "libs/x" names them: give one of the two'],
    [['--affected', '--tier', 'packages'], '--affected cannot choose in the tier packages'],
  ])('says what is wrong with %j', (args, message) => {
    expect(() => parseTestOptions(args)).toThrow(message);
  });

  it('names each tier in the usage', () => {
    expect(usage).toContain(`--tier ${tierNames.join('|')}]`);
  });

  it.each([[['--tier', 'smoke']], [['--watch']]])('refuses %j with the usage', (args) => {
    expect(() => parseTestOptions(args)).toThrow('usage: npm test');
  });
});
