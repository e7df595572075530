import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../../workspace/repository-root.js';

// Inside the repository, so that the generated packages find the foundation and npm packages above them.
const workspace = path.join(repositoryRoot, `.cache/generated-manager-${process.pid}`);
const manager = path.join(workspace, 'libs/runtime/paper-shredder');

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[];
  }[];
}

const node = (args: readonly string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: repositoryRoot, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

describe('the manager generator', () => {
  beforeAll(() => {
    mkdirSync(path.join(workspace, 'node_modules/@podwright'), { recursive: true });
    for (const file of ['tsconfig.base.json', '.oxfmtrc.json', '.editorconfig']) {
      copyFileSync(path.join(repositoryRoot, file), path.join(workspace, file));
    }
    const made = node(['tools/generators/manager/generate-into.mjs', workspace, 'runtime/paper-shredder']);
    if (made.status !== 0) throw new Error(made.output);
    symlinkSync(
      path.join(manager, 'interface'),
      path.join(workspace, 'node_modules/@podwright/paper-shredder-interface'),
    );
    symlinkSync(path.join(manager, 'default'), path.join(workspace, 'node_modules/@podwright/paper-shredder'));
  }, 60_000);

  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  it.each(['interface', 'default'])('makes a %s package that type-checks, specs included', (part) => {
    const tsconfig = path.join(workspace, `tsconfig.${part}.json`);
    const compilerOptions = { noEmit: true, rootDir: repositoryRoot };
    const source = path.join(manager, part);
    writeFileSync(
      tsconfig,
      JSON.stringify({ extends: `${source}/tsconfig.json`, compilerOptions, include: [`${source}/src`], exclude: [] }),
    );
    expect(node(['node_modules/typescript-native/bin/tsc', '-p', tsconfig])).toEqual({ status: 0, output: '' });
  });

  it('writes files that the formatter leaves as they are', () => {
    // Below a folder that git ignores, the formatter takes text alone.
    const oxfmt = ['node_modules/oxfmt/bin/oxfmt', '-c', '.oxfmtrc.json'];
    for (const file of readdirSync(manager, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:ts|json|md)$/.test(file)) continue;
      const input = readFileSync(path.join(manager, file), 'utf8');
      const { stdout } = spawnSync(process.execPath, [...oxfmt, '--stdin-filepath', file], { input, encoding: 'utf8' });
      expect(stdout).toBe(input);
    }
  });

  it('makes tests that run, and fail until they are written', () => {
    const config = path.join(workspace, 'jest.config.mjs');
    const base = path.join(repositoryRoot, 'jest.config.mjs');
    const report = path.join(workspace, 'report.json');
    const rootDir = JSON.stringify(workspace);
    writeFileSync(
      config,
      `import base from ${JSON.stringify(base)};\nexport default { ...base, rootDir: ${rootDir} };\n`,
    );
    const run = node(['node_modules/jest/bin/jest.js', '--config', config, '--json', `--outputFile=${report}`]);
    expect(run.status).toBe(1);
    const result = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
    const failures = result.testResults
      .flatMap((file) => file.assertionResults)
      .flatMap((test) => test.failureMessages);
    expect(failures.map((message) => message.split('\n')[0]).sort()).toEqual([
      'Error: no breakage for the case "does what its interface says"',
      'Error: not written yet: the contract of PaperShredder, one case per promise of the interface',
      'Error: not written yet: the specs of DefaultPaperShredder',
    ]);
    expect(result.numFailedTests).toBe(3);
    expect(result.numPassedTests).toBe(3);
  }, 60_000);

  it('refuses a name that is not WING/NAME', () => {
    const { status, output } = node(['tools/generators/manager/generate-into.mjs', workspace, 'cellar/wine']);
    expect(status).not.toBe(0);
    expect(output).toContain('"cellar/wine" is not WING/NAME: WING is one of pod, runtime');
  });
});
