import { beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { repositoryRoot } from '../repository-root.js';

interface Report {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly filename: string;
    readonly labels: readonly { readonly span: { readonly line: number } }[];
  }[];
}

const oxlint = path.join(repositoryRoot, 'node_modules/.bin/oxlint');
const fixture = path.join(repositoryRoot, 'tools/workspace/fixtures/broken-workspace');
const boundary = '@nx(enforce-module-boundaries)';
const globals = 'eslint(no-restricted-globals)';
const properties = 'eslint(no-restricted-properties)';
const imports = 'eslint(no-restricted-imports)';
const syntax = 'eslint-js(no-restricted-syntax)';
/** Codes of the compiler: the fixture's packages are not installed, nor are the types of Node. */
const notInstalled = ['TS2304', 'TS2307', 'TS2591'].map((code) => `typescript(${code})`);

/** Lints the fixture as its own workspace: Nx must not hear of ours through the environment. */
function lintFixture(): Map<string, string[]> {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('NX_'));
  const { stdout, stderr } = spawnSync(oxlint, ['-c', 'oxlint.config.mjs', '--format', 'json'], {
    cwd: fixture,
    encoding: 'utf8',
    env: {
      ...Object.fromEntries(outer),
      NX_WORKSPACE_DATA_DIRECTORY: path.join(repositoryRoot, `node_modules/.cache/podwright/broken-workspace`),
    },
  });
  if (!stdout.startsWith('{')) throw new Error(stdout + stderr);
  const { diagnostics } = JSON.parse(stdout) as Report;
  const faults = new Map<string, string[]>();
  for (const { code, filename, labels } of diagnostics.filter((each) => !notInstalled.includes(each.code))) {
    const known = faults.get(filename) ?? [];
    faults.set(filename, [...known, `${labels[0]?.span.line} ${code}`].toSorted());
  }
  return faults;
}

describe('the lint configuration', () => {
  let faults = new Map<string, string[]>();
  beforeAll(() => {
    faults = lintFixture();
  }, 60_000);

  it.each([
    ['libs/foundation/clay/src/uses-an-interface.ts', [`1 ${boundary}`]],
    ['libs/runtime/alpha/interface/src/uses-an-implementation.ts', [`1 ${boundary}`]],
    ['libs/runtime/alpha/default/src/uses-an-implementation.ts', [`1 ${boundary}`]],
    ['libs/runtime/alpha/default/src/uses-a-testing-package.ts', [`1 ${boundary}`]],
    ['libs/runtime/alpha/default/src/uses-an-app.ts', [`1 ${boundary}`]],
    ['libs/runtime/alpha/default/src/uses-an-assembly.ts', [`1 ${boundary}`]],
    ['libs/assembly/kit/src/uses-an-app.ts', [`1 ${boundary}`]],
    ['libs/runtime/alpha/default/src/reaches-into-a-package.ts', [`1 ${boundary}`]],
  ])('refuses the dependency in %s', (file, expected) => {
    expect(faults.get(file)).toEqual(expected);
  });

  it.each([
    ['wall-clock', [`1 ${properties}`, `1 ${syntax}`, `1 ${syntax}`]],
    ['timers', [`1 ${imports}`, `3 ${globals}`, `3 ${globals}`, `3 ${globals}`, `4 ${properties}`, `4 ${properties}`]],
    ['stopwatch', [`1 ${imports}`, `3 ${globals}`, `3 ${properties}`, `3 ${properties}`]],
    ['chance', [`1 ${imports}`, `3 ${properties}`, `3 ${properties}`, `3 ${properties}`]],
  ])('refuses time and chance in %s', (name, expected) => {
    expect(faults.get(`libs/runtime/beta/default/src/${name}.ts`)).toEqual(expected);
  });

  it.each([
    ['shell', [`1 ${imports}`, `4 ${syntax}`, `4 ${syntax}`, `5 ${syntax}`]],
    ['blocking', [`1 ${imports}`, `2 ${imports}`, `4 ${syntax}`]],
    ['linked-signals', [`1 ${properties}`]],
    ['star-export', [`1 ${syntax}`]],
    ['container', [`1 ${imports}`, `2 ${imports}`]],
    ['constructor', [`2 ${syntax}`]],
  ])('refuses what is in %s', (name, expected) => {
    expect(faults.get(`libs/runtime/beta/default/src/${name}.ts`)).toEqual(expected);
  });

  it.each([
    ['promises', ['2 typescript(no-misused-promises)', '4 typescript(no-floating-promises)', '5 typescript(TS2322)']],
    ['cycle-there', ['1 import(no-cycle)']],
    ['cycle-back', ['1 import(no-cycle)']],
  ])('refuses promises that nobody awaits, wrong types and import cycles: %s', (name, expected) => {
    expect(faults.get(`libs/runtime/beta/default/src/${name}.ts`)).toEqual(expected);
  });

  it('accepts what the design allows, in sources, specs, apps and the time package', () => {
    const allowed = [
      'libs/runtime/alpha/default/src/allowed.ts',
      'libs/runtime/alpha/default/src/allowed.spec.ts',
      'apps/kubelet/src/allowed.ts',
      'libs/assembly/kit/src/allowed.ts',
      'libs/foundation/time/src/real-clock.ts',
    ];
    expect(allowed.filter((file) => faults.has(file))).toEqual([]);
  });
});
