import { describe, expect, it } from '@jest/globals';
import type { TierName } from './options.js';
import { pathsOfNothing, specsOfTier } from './specs-of-tier.js';

describe('paths of nothing', () => {
  it.each<[TierName[], string, boolean]>([
    [['unit'], 'libs/nope', true],
    [['static', 'unit'], 'libs/nope', true],
    [['unit'], 'tools/test', false],
    [['unit'], 'tools/test/specs-of-tier.spec.ts', false],
    [['unit'], __filename, false],
    [['unit'], 'docs', true],
    [['static', 'unit'], 'docs', false],
    [['integration'], 'tools/test', true],
    [['simulation'], 'libs/assembly/kubelet-assembly', false],
    [['unit'], 'tools/(test', true],
  ])('tiers %j, %s', (tiers, path, isNothing) => {
    expect(pathsOfNothing(tiers, [path])).toEqual(isNothing ? [path] : []);
  });
});

describe('specs of a tier', () => {
  it('are in one tier each', () => {
    const tiers = ['unit', 'simulation', 'integration', 'node-vm'];
    const files = tiers.flatMap((tier) =>
      specsOfTier(tier, ['libs/assembly/kubelet-assembly', 'libs/node/node-shutdown']),
    );
    expect(new Set(files).size).toBe(files.length);
    expect(specsOfTier('unit', ['libs/node/node-shutdown']).join()).not.toContain('integration');
    expect(specsOfTier('static', [])).toEqual([]);
  });
});
