import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { linkPackages, readAssemblyEntries } from './assembly-option.js';

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

  it('finds the packages that the file of the user finds', () => {
    mkdirSync(path.join(dir, 'node_modules'));
    mkdirSync(path.join(dir, 'deep/run'), { recursive: true });
    linkPackages(path.join(dir, 'deep/run'), path.join(dir, 'deep/assembly.yaml'));
    expect(readlinkSync(path.join(dir, 'deep/run/node_modules'))).toBe(path.join(dir, 'node_modules'));
  });
});
