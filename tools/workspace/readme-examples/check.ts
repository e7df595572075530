import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listPackages } from '../packages.js';
import { repositoryRoot } from '../repository-root.js';
import { codeBlocks } from './code-blocks.js';

/**
 * Type-checks every `ts` block of the READMEs and the pages of tasks against the packages' sources, in one compiler run. Returns the compiler's messages with README line numbers; `count` is the number of blocks.
 */
export function checkReadmeExamples(): { count: number; faults: string[] } {
  // Inside the repository, so that the examples find packages in its node_modules.
  const folder = path.join(repositoryRoot, '.cache/readme-examples');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const origins = new Map<string, string>();
  for (const readme of pagesWithExamples()) {
    const absolute = path.join(repositoryRoot, readme);
    if (!existsSync(absolute)) continue;
    for (const { line, code } of codeBlocks(readFileSync(absolute, 'utf8'))) {
      const file = `${readme.replaceAll('/', '-').replace(/\.md$/, '')}-${line}.ts`;
      // Leading blank lines make the compiler's line numbers equal the README's.
      writeFileSync(path.join(folder, file), `${'\n'.repeat(line)}${code}\nexport {};\n`);
      origins.set(file, readme);
    }
  }
  return { count: origins.size, faults: origins.size === 0 ? [] : compile(folder, origins) };
}

/** Pages whose `ts` blocks must compile: the root's and the packages' READMEs, and the pages of tasks. */
export function pagesWithExamples(): readonly string[] {
  const tasks = readdirSync(path.join(repositoryRoot, 'docs/tasks')).map((file) => `docs/tasks/${file}`);
  return ['README.md', ...tasks, ...listPackages().map(({ folder }) => `${folder}/README.md`)];
}

function compile(folder: string, origins: ReadonlyMap<string, string>): string[] {
  const config = path.join(folder, 'tsconfig.json');
  const compilerOptions = { noEmit: true, noUnusedLocals: false, isolatedModules: false };
  const base = path.join(repositoryRoot, 'tsconfig.base.json');
  writeFileSync(config, JSON.stringify({ extends: base, compilerOptions, include: ['*.ts'] }));
  const tsc = path.join(repositoryRoot, 'node_modules/typescript-native/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, '--pretty', 'false', '--singleThreaded', '-p', config], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  if (status !== 0 && lines.length === 0) return [`the compiler ended with ${status} and no message`];
  // The type check reports faults in the packages' own sources; here they would hide the examples' faults.
  return lines.flatMap((line) => {
    const [, file = '', row = '', rest = ''] = /^([^()]+)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
    const readme = origins.get(path.basename(file));
    return readme === undefined ? [] : [`${readme}:${row}: ${rest}`];
  });
}
