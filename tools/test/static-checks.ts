import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkVersions } from '../release/next-versions.js';
import { checkReports } from '../workspace/api-report/reports.js';
import { checkContractProofs } from '../workspace/contract-proofs/contract-proofs.js';
import { checkDuplicateFunctions } from '../workspace/duplicate-functions/duplicate-functions.js';
import { checkManifests } from '../workspace/manifests/check.js';
import { checkReadmeExamples } from '../workspace/readme-examples/check.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { run } from '../workspace/run-node.js';
import type { CheckResult } from './results.js';

interface StaticCheck {
  readonly name: string;
  /** False for a check of the whole repository; a run on some paths skips it. */
  readonly limited: boolean;
  readonly run: (paths: readonly string[]) => Promise<Omit<CheckResult, 'name'>>;
}

const bin = (file: string): string => path.join(repositoryRoot, 'node_modules', file);
const oxfmt = bin('oxfmt/bin/oxfmt');
const oxlint = bin('oxlint/bin/oxlint');

// The longest first, so that none of them is left alone at the end while a core is idle.
const checks: readonly StaticCheck[] = [
  {
    name: 'types, boundaries and lint (oxlint)',
    limited: true,
    run: (paths) =>
      program([oxlint, '-c', 'oxlint.config.mjs', '--deny-warnings', '--no-error-on-unmatched-pattern', ...paths]),
  },
  {
    name: 'release dry run',
    limited: false,
    run: async () => {
      const result = await checkVersions();
      if (result.outcome === 'skipped') return { outcome: 'skipped', detail: result.reason };
      return result.outcome === 'passed' ? result : { outcome: 'failed', detail: result.output };
    },
  },
  {
    name: 'format (oxfmt)',
    limited: true,
    run: async (paths) =>
      program([
        oxfmt,
        '--check',
        '--no-error-on-unmatched-pattern',
        ...(paths.length > 0 ? paths : await knownFiles()),
      ]),
  },
  // When the registry lacks the binary of some platform, npm drops it from the lock file, and `npm ci` then fails on
  // that platform.
  { name: 'lock file', limited: false, run: () => lockFile() },
  { name: 'manifests', limited: true, run: async (paths) => lines(checkManifests(paths, false)) },
  { name: 'API reports', limited: true, run: async (paths) => lines(checkReports(paths)) },
  { name: 'duplicate functions', limited: false, run: async () => lines(checkDuplicateFunctions()) },
  { name: 'contract proofs', limited: false, run: async () => lines(checkContractProofs()) },
  { name: 'README examples', limited: false, run: async () => lines(checkReadmeExamples().faults) },
];

// Most checks use one core.
const atOnce = 2;

/** Runs every static check, two at a time. `say` gets a line at the start and end of each. */
export async function runStaticChecks(paths: readonly string[], say: (line: string) => void): Promise<CheckResult[]> {
  const wanted = checks.filter(({ limited }) => paths.length === 0 || limited);
  const results: CheckResult[] = [];
  const waiting = [...wanted.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, { name, run: check }] = next;
      say(`  running ${name} ...`);
      const startedAt = performance.now();
      const result = { name, ...(await check(paths).catch(thrown)) };
      say(`  ${result.outcome} ${name}, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
      results[index] = result;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

async function program(args: readonly string[]): Promise<Omit<CheckResult, 'name'>> {
  const { code, output } = await run(process.execPath, args);
  return code === 0 ? { outcome: 'passed' } : { outcome: 'failed', detail: output };
}

async function lockFile(): Promise<Omit<CheckResult, 'name'>> {
  const { code, output } = await run('npm', ['ci', '--dry-run', '--ignore-scripts', '--offline', '--loglevel=error']);
  return code === 0 ? { outcome: 'passed' } : { outcome: 'failed', detail: output };
}

// Files that are not in git, such as a user's own manifests, are not checked.
async function knownFiles(): Promise<readonly string[]> {
  const { code, output } = await run('git', ['ls-files', '-z']);
  if (code !== 0) return []; // not a git clone
  return output.split('\0').filter((file) => file !== '' && existsSync(path.join(repositoryRoot, file)));
}

const lines = (faults: readonly string[]): Omit<CheckResult, 'name'> =>
  faults.length === 0 ? { outcome: 'passed' } : { outcome: 'failed', detail: faults.join('\n') };
const thrown = (error: unknown): Omit<CheckResult, 'name'> => ({
  outcome: 'failed',
  detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
});
