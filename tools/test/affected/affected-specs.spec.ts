import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { affectedSpecs } from './affected-specs.js';
import { ImportGraph } from './import-graph.js';

const manifest = (name: string): string =>
  JSON.stringify({
    name,
    exports: {
      '.': { 'podwright-source': './src/index.ts', default: './dist/index.js' },
      './contract': { 'podwright-source': './src/contract.ts', default: './dist/contract.js' },
    },
  });

/** A small repository: `b` imports `a`, the tool imports `b` and runs a script. */
const files: Readonly<Record<string, string>> = {
  'libs/a/package.json': manifest('@x/a'),
  'libs/a/src/index.ts': `export { a } from './a.js';`,
  'libs/a/src/a.ts': `export const a = 1;`,
  'libs/a/src/contract.ts': `export const contract = 1;`,
  'libs/a/src/a.spec.ts': `import { a } from './a.js';`,
  'libs/a/src/fixtures/table.txt': '',
  'libs/b/package.json': manifest('@x/b'),
  'libs/b/src/index.ts': `export type { A } from '@x/a'; export const later = () => import('./late.js');`,
  'libs/b/src/late.ts': `export const late = 1;`,
  'libs/b/src/contract.ts': '',
  'libs/b/src/b.spec.ts': `import { later } from './index.js'; import { contract } from '@x/a/contract';`,
  'libs/c/package.json': manifest('@x/c'),
  'libs/c/src/index.ts': '',
  'libs/c/src/c.spec.ts': `import './index.js';`,
  'tools/package.json': '{ "name": "@x/tools" }',
  'tools/acceptance/run.integration.spec.ts': `import { later } from '@x/b'; const program = 'tools/acceptance/run.mjs';`,
  'tools/acceptance/run.mjs': '',
  'tools/acceptance/fixtures/page.txt': '',
  'tools/pages/links.spec.ts': `const page = 'docs/map.md';`,
};

describe('affected specs', () => {
  let root = '';
  let graph: ImportGraph;
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'affected-specs-'));
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.join(root, path.dirname(file)), { recursive: true });
      await writeFile(path.join(root, file), text);
    }
    graph = ImportGraph.read(root);
  });
  afterAll(() => rm(root, { recursive: true }));
  const chosen = (...changed: readonly string[]): readonly string[] => [...affectedSpecs(changed, graph, root).specs];

  const all = Object.keys(files)
    .filter((file) => file.endsWith('.spec.ts'))
    .sort();
  const [ofA, ofB, , ofRun = '', ofPages] = all;
  it.each<[string, readonly string[], readonly (string | undefined)[]]>([
    ['a spec: itself', ['libs/c/src/c.spec.ts'], ['libs/c/src/c.spec.ts']],
    ['a module: its package, and all that depends on it', ['libs/a/src/a.ts'], [ofA, ofB, ofRun]],
    ['an entry of its own: who imports that', ['libs/a/src/contract.ts'], [ofB]],
    ['what is imported later: who imports it', ['libs/b/src/late.ts'], [ofB, ofRun]],
    ['a fixture: its package, and all that depends on it', ['libs/a/src/fixtures/table.txt'], [ofA, ofB, ofRun]],
    ['a manifest: the same', ['libs/b/package.json'], [ofB, ofRun]],
    ['a module that is gone: its package', ['libs/c/src/gone.ts'], ['libs/c/src/c.spec.ts']],
    ['a fixture of a tool: its folder', ['tools/acceptance/fixtures/page.txt'], [ofRun]],
    ['a script: who names it', ['tools/acceptance/run.mjs'], [ofRun]],
    ['a page: who reads pages', ['libs/a/README.md', 'docs/picture.png'], [ofPages]],
    ['what all run with: all', ['libs/c/src/c.spec.ts', 'tsconfig.base.json'], all],
    ['nothing: none', [], []],
  ])('%s', (_what, changed, expected) => {
    expect(chosen(...changed)).toEqual(expected);
  });

  it('are given with the reasons', () => {
    const { reasons } = affectedSpecs(['libs/a/src/a.ts', 'libs/c/src/c.spec.ts', 'libs/c/package.json'], graph, root);
    expect(reasons).toEqual(['1 that differ themselves', '3 whose imports lead to a file that differs']);
    expect(affectedSpecs(['libs/b/package.json'], graph, root).reasons).toEqual([
      '2 of libs/b or with imports that lead there, for nothing imports libs/b/package.json',
    ]);
    expect(affectedSpecs(['nx.json'], graph, root).reasons).toEqual(['all 5: nx.json is what every spec runs with']);
  });
});
