import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestShell } from '../fixtures/test-shell.js';

describe('podwright console', () => {
  const shell = new TestShell('/no/such/socket');
  let root = '';

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'podwright-console-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('prints the address with the token', async () => {
    await mkdir(path.join(root, 'console'));
    await writeFile(path.join(root, 'console/token'), 'secret\n');
    await writeFile(path.join(root, 'console/address'), '127.0.0.1:4194\n');
    const out = 'http://127.0.0.1:4194/console/?token=secret\n';
    expect(await shell.run(`console --root-dir=${root}`)).toEqual({ code: 0, out, err: '' });
  });

  it('says what to do when the console is off, and when it does not listen yet', async () => {
    const off = {
      ...{ code: 1, out: '' },
      err: `error: no kubelet with a console keeps its state in ${root}: start one with --console-address=127.0.0.1:4194\n`,
    };
    expect(await shell.run(`console --root-dir=${root}`)).toEqual(off);
    await mkdir(path.join(root, 'console'));
    await writeFile(path.join(root, 'console/token'), 'secret\n');
    expect(await shell.run(`console --root-dir=${root}`)).toEqual(off);
  });

  it('names the file that it cannot read', async () => {
    await writeFile(path.join(root, 'console'), '');
    const { code, err } = await shell.run(`console --root-dir=${root}`);
    expect([code, err]).toEqual([1, expect.stringContaining(`${root}/console/token: ENOTDIR`)]);
  });

  it('takes no words', async () => {
    expect((await shell.run('console web')).err).toContain('console takes no words');
  });
});
