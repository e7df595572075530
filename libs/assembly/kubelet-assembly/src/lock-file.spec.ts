import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { runProgram } from '@podwright/program';
import { createSystemClock, eventually } from '@podwright/time';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { holdLockFile } from './lock-file.js';

const onLinux = process.platform === 'linux' ? it : it.skip;
const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? it : it.skip;
const clock = createSystemClock();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lock-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const releases: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0)) await release();
});

async function hold(lockFile: string, exitOnLockContention: boolean, signal = new AbortController().signal) {
  const state = { contended: false };
  const logger = createMemoryLogger();
  const onContention = (): void => void (state.contended = true);
  const release = await holdLockFile(
    { lockFile, exitOnLockContention },
    { run: runProgram, clock, logger },
    onContention,
    signal,
  );
  releases.push(release);
  return { state, logger, release };
}
const isFree = async (lockFile: string): Promise<boolean> =>
  (await runProgram({ file: 'flock', args: ['--nonblock', lockFile, 'true'] })).problem === undefined;

const holderOf = async (lockFile: string): Promise<number> => {
  const { ino } = await stat(lockFile);
  const line = new RegExp(`^\\d+: FLOCK .* (\\d+) \\S+:\\S+:${ino} `, 'm').exec(await readFile('/proc/locks', 'utf8'));
  return Number(line?.[1]);
};

/** An overlay of two file systems, in a mount namespace of its own. */
async function mountOverlay(target: string): Promise<{ folder: string; unmount(): Promise<void> }> {
  await mkdir(target);
  const mounts = [
    'mount -t tmpfs lower "$PWD" && cd "$PWD" && mkdir lower upper merged && mount -t tmpfs upper upper && mkdir upper/u upper/w',
    'mount -t overlay o -o lowerdir=lower,upperdir=upper/u,workdir=upper/w merged && echo mounted && exec cat',
  ];
  const shell = spawn('unshare', ['--mount', 'sh', '-c', `${mounts.join(' && ')}`], { cwd: target });
  const closed = once(shell, 'close');
  let fault = '';
  shell.stderr.on('data', (chunk: Buffer) => (fault += chunk.toString()));
  await Promise.race([
    once(shell.stdout, 'data'),
    closed.then(() => Promise.reject(new Error(`no overlay: ${fault}`))),
  ]);
  const unmount = async (): Promise<void> => {
    shell.stdin.end();
    await closed;
  };
  return { folder: `/proc/${shell.pid}/root${target}/merged`, unmount };
}

describe('--lock-file', () => {
  it('is no lock when it is not set', async () => {
    const { logger } = await hold('', false);
    expect(logger.entries).toEqual([]);
  });

  onLinux('is locked until it is released, also after flock(1) has ended', async () => {
    const lockFile = path.join(folder, 'held');
    const { state, release } = await hold(lockFile, true);
    expect((await stat(lockFile)).mode & 0o777).toBe(0o600);
    expect(await isFree(lockFile)).toBe(false);
    expect(state.contended).toBe(false);
    await release();
    expect(await isFree(lockFile)).toBe(true);
  });

  onLinux('waits for its turn; with contention to be left for, the first one hears of the second', async () => {
    const lockFile = path.join(folder, 'passed-on');
    const first = await hold(lockFile, true);
    const second = hold(lockFile, false);
    await eventually(() => first.state.contended);
    expect(first.logger.entries.at(-1)).toMatchObject({ message: 'Lock file is contended, stopping' });
    await first.release();
    await second;
    expect(await isFree(lockFile)).toBe(false);
  });

  // Only then does /proc/locks show it in a PID namespace that is not the machine's first.
  onLinux('is held by a process that lives, so that a PID namespace shows who waits', async () => {
    const lockFile = path.join(folder, 'namespace');
    const { release } = await hold(lockFile, true);
    const holder = await holderOf(lockFile);
    expect(await readFile(`/proc/${holder}/cmdline`, 'utf8')).toContain('flock');
    await release();
    expect(existsSync(`/proc/${holder}`)).toBe(false);
  });

  onLinux('is left when the process that held it has ended', async () => {
    const lockFile = path.join(folder, 'lost');
    const { state, logger } = await hold(lockFile, true);
    const holder = await holderOf(lockFile);
    process.kill(-holder, 'SIGKILL');
    await eventually(() => state.contended);
    expect(logger.entries.at(-1)?.fields).toMatchObject({ event: 'the process that held the lock has ended' });
  });

  // There stat(2) names another device than /proc/locks does.
  asRoot('is passed on in an overlay file system', async () => {
    const overlay = await mountOverlay(path.join(folder, 'overlay'));
    try {
      const lockFile = path.join(overlay.folder, 'lock');
      const first = await hold(lockFile, true);
      const second = hold(lockFile, false);
      await eventually(() => first.state.contended);
      await first.release();
      await (await second).release();
    } finally {
      await overlay.unmount();
    }
  });

  onLinux('is left when it is removed', async () => {
    const lockFile = path.join(folder, 'removed');
    const { state, logger } = await hold(lockFile, true);
    await rm(lockFile);
    await eventually(() => state.contended);
    expect(logger.entries.at(-1)?.fields).toMatchObject({ event: 'the file was removed' });
  });

  onLinux('is not waited for after an abort', async () => {
    const lockFile = path.join(folder, 'aborted');
    await hold(lockFile, false);
    const stopping = new AbortController();
    const waiting = hold(lockFile, false, stopping.signal);
    stopping.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
  });

  it('is named when it cannot be opened', async () => {
    const lockFile = path.join(folder, 'none', 'lock');
    await expect(hold(lockFile, false)).rejects.toThrow(
      `unable to acquire file lock on ${JSON.stringify(lockFile)} (--lock-file): ENOENT`,
    );
    expect(existsSync(lockFile)).toBe(false);
  });
});
