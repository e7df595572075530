import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { repositoryRoot } from '../workspace/repository-root.js';

/** One process that makes sure that the packages of the clone are installed. */
interface Installer {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  output(): string;
}

describe('ensureInstalled', () => {
  let clone = '';
  let installers: Installer[] = [];
  // In the place of npm: writes down its id and how it began and ended, and ends once it may.
  const npm = `#!/bin/sh
    echo begin $$ >> npm.log
    until [ -e may-end ]; do sleep 0.02; done
    mkdir -p node_modules; echo end >> npm.log; [ ! -e fails ] || exit 7`;

  beforeEach(async () => {
    clone = await mkdtemp(path.join(os.tmpdir(), 'bootstrap-install-'));
    installers = [];
    await cp(path.join(repositoryRoot, 'tools/bootstrap'), file('tools/bootstrap'), { recursive: true });
    await mkdir(file('bin'));
    await writeFile(file('bin/npm'), npm, { mode: 0o755 });
    await writeFile(file('package-lock.json'), '{}');
  });
  afterEach(async () => {
    await writeFile(file('may-end'), '');
    await Promise.all(installers.map(({ exited }) => exited));
    await rm(clone, { recursive: true, force: true });
  });

  const file = (name: string): string => path.join(clone, name);
  const lock = (): string => file('.cache/install.lock');
  const log = async (): Promise<readonly string[]> => {
    const text = existsSync(file('npm.log')) ? await readFile(file('npm.log'), 'utf8') : '';
    return text.split('\n').filter((line) => line !== '');
  };
  const steps = async (): Promise<readonly string[]> => (await log()).map((line) => line.replace(/ .*/, ''));
  const begun = (times: number): Promise<void> =>
    eventually(async () => (await steps()).filter((step) => step === 'begin').length === times);
  function start(): Installer {
    const script = `import { ensureInstalled } from './tools/bootstrap/install.mjs'; await ensureInstalled();`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: clone,
      env: { ...process.env, PATH: `${file('bin')}:${process.env['PATH']}` },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    // Not `close`: an npm that outlives it keeps the pipes open.
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const installer = { process: child, exited, output: () => text };
    installers.push(installer);
    return installer;
  }
  const waits = (installer: Installer, pid: number | string | undefined): Promise<void> =>
    eventually(() => installer.output().includes(`waiting for process ${pid}, which installs npm packages here ...\n`));

  it('installs once when two processes ask at the same time; the second says for whom it waits', async () => {
    const first = start();
    await begun(1);
    const second = start();
    await waits(second, first.process.pid);
    await writeFile(file('may-end'), '');
    expect(await Promise.all([first.exited, second.exited])).toEqual([0, 0]);
    expect(await steps()).toEqual(['begin', 'end']);
    expect(existsSync(lock())).toBe(false);
    expect(await start().exited).toBe(0);
    expect(await steps()).toEqual(['begin', 'end']);
  });

  it('waits for an npm that outlives its starter, and then installs itself', async () => {
    const first = start();
    await begun(1);
    const pid = (await log())[0]?.slice('begin '.length);
    await eventually(async () => (await readlink(lock())).includes(` ${pid}-`));
    first.process.kill('SIGKILL');
    await first.exited;
    const second = start();
    await waits(second, pid);
    expect(await steps()).toEqual(['begin']);
    await writeFile(file('may-end'), '');
    expect(await second.exited).toBe(0);
    expect(await steps()).toEqual(['begin', 'end', 'begin', 'end']);
  });

  it('takes over the lock of a process that has ended, also when another one has its id', async () => {
    await mkdir(file('.cache'));
    await writeFile(file('may-end'), '');
    for (const dead of ['9999999-1', `${process.pid}-1`]) {
      await rm(file('node_modules'), { recursive: true, force: true });
      await symlink(dead, lock());
      const installer = start();
      expect(await installer.exited).toBe(0);
      expect(installer.output()).not.toContain('waiting');
    }
    expect(await steps()).toEqual(['begin', 'end', 'begin', 'end']);
  });

  it("gives the lock back and exits with npm's code when npm fails", async () => {
    await writeFile(file('fails'), '');
    await writeFile(file('may-end'), '');
    const installer = start();
    expect(await installer.exited).toBe(7);
    await eventually(() => installer.output().includes('npm ci failed; fix the cause above'));
    expect(existsSync(lock())).toBe(false);
  });
});
