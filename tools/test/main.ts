// npm test: runs every tier even after a failure, then prints a table and the counts. Passing tests print nothing.
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';
import { besideOthers, runNode } from '../workspace/run-node.js';
import { selectAffected, type Selection } from './affected/selection.js';
import { runIntegrationTier } from './integration-tier.js';
import { runJestTier } from './jest-tier.js';
import { fasterNode } from './faster-node.js';
import { runNodeVmTier } from './node-vm-tier.js';
import { parseTestOptions } from './options.js';
import type { TestOptions, TierName } from './options.js';
import { runPackageChecks } from './packages-tier.js';
import { closingLine, summaryTable, tierOfChecks } from './results.js';
import type { CheckResult, TierResult } from './results.js';
import { pathsOfNothing } from './specs-of-tier.js';
import { runStaticChecks } from './static-checks.js';
import { runSimulationTier } from './simulation-tier.js';
import { tiersTogether } from './tiers-together.js';

async function main(): Promise<void> {
  const { tiers, ...options } = readOptions();
  const { pathsOf, explanation } = await select({ tiers, ...options });
  for (const line of explanation) console.log(line);
  // The tiers keep the recordings of failed cases together (kept-recordings.mjs).
  process.env['PODWRIGHT_TEST_RUN'] = `npm test ${process.pid}`;
  const generation = await generateCode();
  const chosen = tiers.filter((tier) => pathsOf(tier) !== undefined);
  const { main, beside } = tiersTogether(chosen);
  const runs = [besideOthers(() => runInOrder(beside, pathsOf)), runInOrder(main, pathsOf)];
  const results = (await Promise.all(runs)).flat();
  if (generation.outcome === 'failed') {
    results.unshift(tierOfChecks('generation', [generation], 0));
    console.log(`\nFAILED  ${generation.name}\n${generation.detail ?? ''}`);
  }
  console.log(`\n${summaryTable(results)}\n`);
  process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;
  console.log(closingLine(results));
}

async function runUnitTier(paths: readonly string[]): Promise<Omit<TierResult, 'seconds'>> {
  return runJestTier('unit', { paths, workers: '100%', timeoutMs: 2_400_000, node: await fasterNode() });
}

function readOptions(): TestOptions {
  try {
    const options = parseTestOptions(process.argv.slice(2));
    const nothing = pathsOfNothing(options.tiers, options.paths);
    if (nothing.length > 0) {
      throw new Error(`none of the chosen tiers (${options.tiers.join(', ')}) has a spec under ${nothing.join(', ')}`);
    }
    return options;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

async function select(options: TestOptions): Promise<Selection> {
  if (options.affected === undefined) return { pathsOf: () => options.paths, explanation: [] };
  try {
    return await selectAffected(options, repositoryRoot);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

/** Generates the codecs that most packages import; they are not committed. */
async function generateCode(): Promise<CheckResult> {
  const bootstrap = path.join(repositoryRoot, 'tools/bootstrap/run.mjs');
  const { code, output } = await runNode([bootstrap, 'tools/codegen/main.ts']);
  return { name: 'code generation', outcome: code === 0 ? 'passed' : 'failed', detail: output };
}

async function runInOrder(tiers: readonly TierName[], pathsOf: Selection['pathsOf']): Promise<readonly TierResult[]> {
  const results: TierResult[] = [];
  for (const tier of tiers) results.push(await runAndTell(tier, pathsOf(tier) ?? []));
  return results;
}

async function runAndTell(tier: TierName, paths: readonly string[]): Promise<TierResult> {
  console.log(`running ${tier} ...`);
  const startedAt = performance.now();
  const result = await runTier(tier, paths);
  for (const report of result.reports) console.log(`\n${report}`);
  return { ...result, seconds: (performance.now() - startedAt) / 1000 };
}

async function runTier(tier: TierName, paths: readonly string[]): Promise<TierResult> {
  switch (tier) {
    case 'static':
      return tierOfChecks(tier, await runStaticChecks(paths, console.log), 0);
    case 'unit':
      return { ...(await runUnitTier(paths)), seconds: 0 };
    case 'simulation':
      return { ...(await runSimulationTier(paths)), seconds: 0 };
    case 'integration':
      return { ...(await runIntegrationTier(paths)), seconds: 0 };
    case 'node-vm':
      return { ...(await runNodeVmTier(paths)), seconds: 0 };
    case 'packages':
      return tierOfChecks(tier, await runPackageChecks(), 0);
  }
}

await main();
