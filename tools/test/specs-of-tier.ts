import { existsSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';
import type { TierName } from './options.js';
import { specFiles } from './spec-files.js';

const endings = {
  simulation: '.simulation.spec.ts',
  integration: '.integration.spec.ts',
  'node-vm': '.node-vm.spec.ts',
} as const;

/**
 * Spec files that jest runs for a tier and these paths (all files without paths), relative to the repository. See
 * jest.config.mjs.
 */
export function specsOfTier(tier: string, paths: readonly string[]): readonly string[] {
  const own = Object.entries(endings).find(([name]) => name === tier)?.[1];
  if (own === undefined && tier !== 'unit') return [];
  const others = Object.values(endings);
  const files = specFiles(own ?? '.spec.ts');
  const ofTier = own === undefined ? files.filter((file) => !others.some((ending) => file.endsWith(ending))) : files;
  const patterns = paths.map(pattern);
  return patterns.length === 0
    ? ofTier
    : ofTier.filter((file) => patterns.some((each) => each.test(path.join(repositoryRoot, file))));
}

/** Paths without any spec in the chosen tiers: a run on them would pass without testing anything. */
export function pathsOfNothing(tiers: readonly TierName[], paths: readonly string[]): readonly string[] {
  return paths.filter((each) => {
    if (tiers.includes('static') && existsSync(path.resolve(repositoryRoot, each))) return false;
    return tiers.every((tier) => specsOfTier(tier, [each]).length === 0);
  });
}

// Matches a path as jest does.
function pattern(text: string): RegExp {
  try {
    return new RegExp(text, 'i');
  } catch {
    return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');
  }
}
