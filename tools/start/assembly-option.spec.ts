import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { linkPackages, readAssemblyEntries, writeAssembly } from './assembly-option.js';

describe('the assembly file of a run', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'assembly-option-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));
  const written = (text: string): string => {
    const file = path.join(dir, 'assembly.yaml');
    writeFileSync(file, text);
    return file;
  };

  it('has the changes of the user, whose paths lead where they led', () => {
    const modules = `
  - { replace: '@podwright/pleg', with: ./mine.mjs, config: { periodMs: 250 } }
  - { replace: '@podwright/image', with: '@podwright/image' }
  - { add: ../more.mjs }
  - { add: some-package }
  - { omit: '@podwright/oom-watcher' }`;
    const file = written(`apiVersion: assembly.podwright.dev/v1alpha1\nkind: Assembly\nmodules:${modules}\n`);
    expect(readAssemblyEntries(file)).toEqual([
      { replace: '@podwright/pleg', with: path.join(dir, 'mine.mjs'), config: { periodMs: 250 } },
      { replace: '@podwright/image', with: '@podwright/image' },
      { add: path.join(path.dirname(dir), 'more.mjs') },
      { add: 'some-package' },
      { omit: '@podwright/oom-watcher' },
    ]);
  });

  it.each([
    ['kind: Pod', 'must be an Assembly with a list of modules'],
    ['', 'must be an Assembly'],
    ['kind: Assembly\nmodules: all', 'with a list of modules'],
    ['kind: [', 'assembly.yaml: '],
  ])('is refused with its name when the user gave %j', (text, says) => {
    expect(() => readAssemblyEntries(written(text))).toThrow(says);
  });

  it('names compiled files for those in TypeScript, once each, and others as they were', async () => {
    const module = `import { CLOCK } from '@podwright/assembly-interface';
      export default { name: 'mine', provides: [] as const, needs: { clock: CLOCK }, create: (): object => ({}) };`;
    for (const folder of ['a', 'b']) {
      mkdirSync(path.join(dir, folder, 'node_modules'), { recursive: true });
      writeFileSync(path.join(dir, folder, 'mine.ts'), module.replace('mine', `mine-${folder}`));
      symlinkSync(path.resolve('node_modules/@podwright'), path.join(dir, folder, 'node_modules/@podwright'));
    }
    const [a, b] = [path.join(dir, 'a/mine.ts'), path.join(dir, 'b/mine.ts')];
    const entries = [
      { add: a, config: { x: 1 } },
      { replace: 'r', with: b },
      { add: b },
      { add: '/c.mjs' },
      { omit: 'o' },
    ];
    const file = path.join(dir, 'assembly.json');
    await writeAssembly(file, entries);
    const { modules, kind } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const [compiledA, compiledB] = ['0', '1'].map((place) => path.join(dir, 'modules', place, 'mine.cjs'));
    expect([kind, modules]).toEqual([
      'Assembly',
      [
        { add: compiledA, config: { x: 1 } },
        { replace: 'r', with: compiledB },
        { add: compiledB },
        { add: '/c.mjs' },
        { omit: 'o' },
      ],
    ]);
    const load = createRequire(file);
    const loaded = [compiledA, compiledB].map(
      (each) => (load(each ?? '') as { default: { name: string } }).default.name,
    );
    expect(loaded).toEqual(['mine-a', 'mine-b']);
  });

  it.each([
    ['has no packages of its own', undefined],
    ['has installed ones, which have no sources', 'installed'],
  ])('compiles a module that lies outside and %s', async (_what, installed) => {
    const module = path.join(dir, 'mine.ts');
    writeFileSync(
      module,
      `import { createToken } from '@podwright/assembly-interface'; export const name = String(createToken('t/v1'));`,
    );
    if (installed !== undefined) {
      const folder = path.join(dir, 'node_modules/@podwright/assembly-interface');
      mkdirSync(path.join(folder, 'dist'), { recursive: true });
      const exports = { '.': { 'podwright-source': './src/index.ts', default: './dist/index.js' } };
      writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', exports }));
      writeFileSync(path.join(folder, 'dist/index.js'), `export const createToken = () => 'installed';`);
    }
    const file = path.join(dir, 'assembly.json');
    await writeAssembly(file, [{ add: module }]);
    const { name } = createRequire(file)(path.join(dir, 'modules/0/mine.cjs')) as { readonly name: string };
    expect(name).toBe(installed ?? 'Symbol(@podwright/token:t/v1)');
  });

  it('finds the packages that the file of the user finds', () => {
    mkdirSync(path.join(dir, 'node_modules'));
    mkdirSync(path.join(dir, 'deep/run'), { recursive: true });
    linkPackages(path.join(dir, 'deep/run'), path.join(dir, 'deep/assembly.yaml'));
    expect(readlinkSync(path.join(dir, 'deep/run/node_modules'))).toBe(path.join(dir, 'node_modules'));
  });
});
