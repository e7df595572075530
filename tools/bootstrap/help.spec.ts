import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../workspace/repository-root.js';

describe('the bootstrap', () => {
  // A clone in which nothing is installed, nor can be: there is no lock file.
  let clone = '';
  beforeAll(() => {
    clone = mkdtempSync(path.join(os.tmpdir(), 'bootstrap-help-'));
    cpSync(path.join(repositoryRoot, 'tools/bootstrap'), path.join(clone, 'tools/bootstrap'), { recursive: true });
    mkdirSync(path.join(clone, 'tools/thing'));
    writeFileSync(path.join(clone, 'tools/thing/usage.txt'), 'npm run thing\n');
  });
  afterAll(() => rmSync(clone, { recursive: true, force: true }));
  const run = (...args: readonly string[]): { status: number | null; stdout: string } =>
    spawnSync(process.execPath, ['tools/bootstrap/run.mjs', 'tools/thing/main.ts', ...args], {
      cwd: clone,
      encoding: 'utf8',
    });

  it.each([['--help'], ['-h'], ['--other', '--help']])('answers %s without an install', (...args) => {
    expect(run(...args)).toMatchObject({ status: 0, stdout: 'npm run thing\n' });
  });

  it.each([['--other'], ['--', '--help']])('gives %s to the tool, after the install', (...args) => {
    expect(run(...args)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('package-lock.json') });
  });
});
