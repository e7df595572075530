import type { Executable } from '../build/executable.js';
import { buildKubelet } from '../build/kubelet.js';
import { buildSingleExecutable } from '../build/single-executable.js';
import { nodeArchitectures } from '../node/node-pins.js';
import { runJestTier } from './jest-tier.js';
import type { TierResult } from './results.js';
import { specsOfTier } from './specs-of-tier.js';

/**
 * Runs the specs on a real containerd. Where they cannot run, each file counts as one skipped test, and the report
 * gives the reason once.
 */
export async function runIntegrationTier(paths: readonly string[]): Promise<Omit<TierResult, 'seconds'>> {
  const reason = whyNot();
  if (reason !== undefined) {
    const skipped = specsOfTier('integration', paths).length;
    return { tier: 'integration', passed: 0, failed: 0, skipped, reports: [`skipped integration: ${reason}`] };
  }
  const variable = 'PODWRIGHT_ACCEPTANCE_KUBELET';
  let kubelet: string;
  try {
    // Built once, instead of by each spec.
    kubelet = process.env[variable] ?? (await buildProgram(paths)).file;
  } catch (error) {
    const detail = `FAILED  the kubelet cannot be built\n${String(error)}`;
    return { tier: 'integration', passed: 0, failed: 1, skipped: 0, reports: [detail] };
  }
  // Each spec has its own lab and mostly waits, so two at a time use a small machine well.
  return runJestTier('integration', { paths, workers: 2, timeoutMs: 3_600_000, env: { [variable]: kubelet } });
}

/**
 * The whole tier runs the single executable, which is what a release has, and which needs a third less processor time than
 * the bundle on Node 20. A run on some paths has the bundle, which is built in two seconds.
 */
function buildProgram(paths: readonly string[]): Promise<Executable> {
  const architecture = nodeArchitectures.find((each) => each === process.arch);
  if (paths.length > 0 || architecture === undefined) return buildKubelet();
  return buildSingleExecutable('kubelet', architecture, console.log);
}

function whyNot(): string | undefined {
  if (process.platform !== 'linux') return `containers need Linux, this is ${process.platform}`;
  if (process.getuid?.() !== 0) return 'the private containerd needs root';
  return undefined;
}
