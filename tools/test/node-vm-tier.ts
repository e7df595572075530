import { nodeVmSupport } from '@podwright/lab';
import { runJestTier } from './jest-tier.js';
import type { TierResult } from './results.js';
import { specsOfTier } from './specs-of-tier.js';

/**
 * Runs the specs in a virtual machine. Where that is impossible, each file counts as one skipped test, and the report
 * gives the reason once.
 */
export async function runNodeVmTier(paths: readonly string[]): Promise<Omit<TierResult, 'seconds'>> {
  const support = nodeVmSupport();
  if (!support.ok) {
    const skipped = specsOfTier('node-vm', paths).length;
    return { tier: 'node-vm', passed: 0, failed: 0, skipped, reports: [`skipped node-vm: ${support.reason}`] };
  }
  return runJestTier('node-vm', { paths, workers: 1, timeoutMs: 2_400_000 });
}
