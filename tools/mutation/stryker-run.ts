import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';
import { runNode } from '../workspace/run-node.js';
import { forgetSurvivors } from './earlier-results.js';
import { readReport, type MutantResult } from './mutant-results.js';
import type { MutatedPackage } from './mutated-packages.js';
import { cacheFolder } from './test-programs.js';

// A bound of one whole package, which takes some minutes; a single mutant has its own.
const packageTimeoutMs = 4 * 3_600_000;

const runner = 'checked-mocha-runner.mjs';

// On top of four times what its cases take without mutants. Endless loops that do not wait are found sooner, by counting.
const mutantTimeoutMs = 30_000;

/** Runs the mutants of one package. `programs` is the folder of Stryker and mocha. */
export async function runMutants(
  target: MutatedPackage,
  programs: string,
  options: { readonly force: boolean },
): Promise<readonly MutantResult[]> {
  const folder = path.join(repositoryRoot, target.folder);
  const file = (kind: string): string => path.join(cacheFolder, `${target.name}.${kind}.json`);
  await mkdir(cacheFolder, { recursive: true });
  await rm(file('report'), { force: true });
  if (options.force) await rm(file('earlier'), { force: true });
  else await forgetSurvivors(file('earlier'));

  const { name } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as { readonly name: string };
  await writeFile(
    file('bundle'),
    JSON.stringify({ packageName: name, programs, specs: specsOf(folder, target.without) }),
  );
  const settings = {
    packageManager: 'npm',
    plugins: [path.join(programs, runner)],
    testRunner: 'checked-mocha',
    mochaOptions: { 'no-config': true, 'no-package': true, spec: ['specs.mjs'] },
    buildCommand: `node ${path.join(repositoryRoot, 'tools/mutation/build-specs.mjs')} ${file('bundle')}`,
    coverageAnalysis: 'perTest',
    mutate: mutateGlobs(folder, target.files),
    // The machine belongs to others, too.
    concurrency: 1,
    timeoutMS: mutantTimeoutMs,
    timeoutFactor: 4,
    reporters: ['json'],
    jsonReporter: { fileName: file('report') },
    incremental: true,
    incrementalFile: file('earlier'),
    tempDirName: path.join(cacheFolder, 'copies'),
    cleanTempDir: 'always',
    symlinkNodeModules: false,
    allowConsoleColors: false,
  };
  // Beside the programs, so that it finds them.
  await copyFile(path.join(repositoryRoot, 'tools/mutation', runner), path.join(programs, runner));
  await writeFile(file('settings'), JSON.stringify(settings, undefined, 2));
  const stryker = path.join(programs, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { code, output } = await runNode([stryker, 'run', file('settings')], {
    cwd: folder,
    timeoutMs: packageTimeoutMs,
  });
  if (!existsSync(file('report'))) throw new Error(`${target.name}: Stryker exited with ${code}\n${output.trim()}`);
  return readReport(await readFile(file('report'), 'utf8'));
}

/** The globs for the files of `target` that get mutants, relative to `folder`. */
export function mutateGlobs(folder: string, files: readonly string[]): string[] {
  const globs = files.map((file) => {
    const relative = `src/${file}`;
    return statSync(path.join(folder, relative)).isDirectory() ? `${relative}/**/*.ts` : relative;
  });
  return [...globs, '!src/**/*.spec.ts', '!src/**/index.ts', '!src/**/*.module.ts', '!src/**/fixtures/**'];
}

// A proof of a contract suite checks the suite, not the package, and the other tiers cannot run again and again.
function specsOf(folder: string, without: readonly string[] = []): string[] {
  return readdirSync(path.join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        /\.spec\.ts$/.test(file) && !/(contract-proof|\.(simulation|integration|node-vm))\.spec\.ts$/.test(file),
    )
    .filter((file) => !without.includes(file))
    .map((file) => `./src/${file}`)
    .toSorted();
}
