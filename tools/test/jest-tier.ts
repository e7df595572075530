import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';
import { run } from '../workspace/run-node.js';
import { JestProgress } from './jest-progress.js';
import type { TierResult } from './results.js';
import { specsOfTier } from './specs-of-tier.js';

interface JestTest {
  readonly status: 'passed' | 'failed' | 'pending' | 'todo' | 'skipped' | 'disabled';
  readonly ancestorTitles: readonly string[];
  readonly title: string;
}

interface JestFile {
  readonly name: string;
  readonly status: string;
  /** Failures of the file as jest prints them. */
  readonly message: string;
  readonly assertionResults: readonly JestTest[];
}

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly JestFile[];
}

export interface JestTierOptions {
  readonly paths: readonly string[];
  /** Files at a time: a number, or a percentage of the processors as for jest. With 1, jest runs in this process. */
  readonly workers: number | '100%';
  readonly timeoutMs: number;
  /** Path of the Node.js that runs the specs; the one of this process unless given. */
  readonly node?: string;
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the specs of one tier, as jest.config.mjs defines them, and counts the results. */
export async function runJestTier(tier: string, options: JestTierOptions): Promise<Omit<TierResult, 'seconds'>> {
  const reportFile = path.join(repositoryRoot, `node_modules/.cache/podwright/test-${tier}.json`);
  mkdirSync(path.dirname(reportFile), { recursive: true });
  rmSync(reportFile, { force: true });
  const progress = new JestProgress(tier, specsOfTier(tier, options.paths).length);
  const telling = setInterval(() => console.log(progress.line()), 60_000);
  const { node = process.execPath } = options;
  const { code, output } = await run(
    node,
    [
      path.join(repositoryRoot, 'node_modules/jest/bin/jest.js'),
      '--json',
      `--outputFile=${reportFile}`,
      '--passWithNoTests',
      // An open handle must not block the whole run; contract suites find such leaks themselves.
      '--forceExit',
      ...(options.workers === 1
        ? ['--runInBand']
        : [`--maxWorkers=${options.workers}`, '--workerIdleMemoryLimit=512MB']),
      ...options.paths,
    ],
    {
      env: { TEST_TIER: tier, ...options.env },
      timeoutMs: options.timeoutMs,
      onOutput: (text) => progress.take(text),
    },
  );
  clearInterval(telling);
  if (!existsSync(reportFile)) {
    const detail = `FAILED  jest exited with code ${code} and without a report\n${output}`;
    return { tier, passed: 0, failed: 1, skipped: 0, reports: [detail] };
  }
  return countReport(tier, JSON.parse(readFileSync(reportFile, 'utf8')) as JestReport);
}

/** Counts the results; a spec file that does not load counts as one failed test. */
export function countReport(tier: string, report: JestReport): Omit<TierResult, 'seconds'> {
  return {
    tier,
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
    reports: report.testResults.flatMap((file) => [...failures(file), ...skips(file)]),
  };
}

function failures(file: JestFile): string[] {
  return file.status === 'failed' ? [`FAILED  ${relative(file.name)}\n${file.message.trim()}`] : [];
}

/**
 * One line per file and reason. The reason is in the title of the `describe` when all of it was skipped, else in the
 * test's title.
 */
function skips(file: JestFile): string[] {
  const ran = file.assertionResults.filter(hasRun).map(({ ancestorTitles }) => ancestorTitles[0]);
  const reasons = new Map<string, number>();
  for (const test of file.assertionResults.filter((each) => !hasRun(each))) {
    const { ancestorTitles, title } = test;
    const [suite] = ancestorTitles;
    const reason = suite === undefined || ran.includes(suite) ? [...ancestorTitles, title].join(' > ') : suite;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return [...reasons].map(([reason, count]) => `skipped ${relative(file.name)}: ${reason} (${count})`);
}

const hasRun = ({ status }: JestTest): boolean => status === 'passed' || status === 'failed';
const relative = (file: string): string => path.relative(repositoryRoot, file);
