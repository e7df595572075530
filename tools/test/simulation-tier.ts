import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';
import { run } from '../workspace/run-node.js';
import { runJestTier } from './jest-tier.js';
import { fasterNode } from './faster-node.js';
import { tierOfChecks, type CheckResult, type TierResult } from './results.js';

const seeds = 300;

/** Runs the specs of the simulated node, and tells stories of it when no paths are chosen. */
export async function runSimulationTier(paths: readonly string[]): Promise<Omit<TierResult, 'seconds'>> {
  const node = await fasterNode();
  const [specs, stories] = await Promise.all([
    runJestTier('simulation', { paths, workers: '100%', timeoutMs: 2_400_000, node }),
    paths.length > 0 ? [] : tellStories(node),
  ]);
  const told = tierOfChecks('simulation', stories, 0);
  return {
    ...specs,
    passed: specs.passed + told.passed,
    failed: specs.failed + told.failed,
    reports: [...specs.reports, ...told.reports],
  };
}

/** `npm run simulate`: bundled, so that a story needs a third less time than in a spec. */
async function tellStories(node: string): Promise<CheckResult[]> {
  const main = 'libs/assembly/kubelet-assembly/src/simulation/stories/main.ts';
  const bootstrap = path.join(repositoryRoot, 'tools/bootstrap/run.mjs');
  const args = [bootstrap, main, '--seeds', String(seeds)];
  const { code, output } = await run(node, args, { timeoutMs: 2_400_000 });
  return [{ name: `stories of seeds 1 to ${seeds}`, outcome: code === 0 ? 'passed' : 'failed', detail: output }];
}
