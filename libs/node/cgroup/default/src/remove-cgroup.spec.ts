import { access, mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { kernelCgroupFiles } from './cgroup-files.js';
import { killBelow, removeCgroup } from './remove-cgroup.js';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'cgroup-'));
});
afterAll(() => rm(base, { recursive: true }));

/** A pod cgroup with processes. A file keeps a directory from going, as a process keeps a cgroup. */
async function podCgroup(processes: Readonly<Record<string, readonly number[]>>) {
  const directory = await mkdtemp(path.join(base, 'pod-'));
  for (const [child, pids] of Object.entries(processes)) {
    await mkdir(path.join(directory, child), { recursive: true });
    await writeFile(path.join(directory, child, 'cgroup.procs'), pids.map((pid) => `${pid}\n`).join(''));
  }
  const exists = () =>
    access(directory).then(
      () => true,
      () => false,
    );
  const empty = (child: string) => unlink(path.join(directory, child, 'cgroup.procs'));
  return { directory, exists, empty };
}

async function run(directory: string, onKill: (pid: number, round: number) => Promise<void> | void) {
  const clock = new VirtualClock();
  const rounds: (readonly number[])[] = [];
  const pending: Promise<void>[] = [];
  const removed = removeCgroup(directory, {
    files: kernelCgroupFiles,
    clock,
    kill: (pid) => void pending.push(Promise.resolve(onKill(pid, rounds.length + 1))),
    onKilled: (pids) => void rounds.push(pids),
  });
  const outcome = removed.then(
    () => 'removed',
    (error: NodeJS.ErrnoException) => error.code,
  );
  await clock.advance(1_000);
  await Promise.all(pending);
  return { outcome: await outcome, rounds };
}

describe('removeCgroup', () => {
  it('kills every process in the tree, then removes it', async () => {
    const { directory, exists, empty } = await podCgroup({ '.': [10], a: [11, 12], 'a/b': [13] });
    const children: Readonly<Record<number, string>> = { 10: '.', 12: 'a', 13: 'a/b' };
    const { outcome, rounds } = await run(directory, (pid) =>
      children[pid] === undefined ? undefined : empty(children[pid]),
    );
    expect(rounds[0]).toEqual([10, 11, 12, 13]);
    expect(outcome).toBe('removed');
    await expect(exists()).resolves.toBe(false);
  });

  it('tries again while processes die slowly', async () => {
    const { directory, empty } = await podCgroup({ '.': [10] });
    const { outcome, rounds } = await run(directory, (_pid, round) => (round === 3 ? empty('.') : undefined));
    expect(outcome).toBe('removed');
    expect(rounds.length).toBeGreaterThanOrEqual(3);
  });

  it('gives up after five rounds', async () => {
    const { directory, exists } = await podCgroup({ '.': [10] });
    const { outcome, rounds } = await run(directory, () => undefined);
    expect(outcome).toBe('ENOTEMPTY');
    expect(rounds).toEqual([[10], [10], [10], [10], [10]]);
    await expect(exists()).resolves.toBe(true);
  });

  it('never signals process 0, which stands for one of another PID namespace', async () => {
    const { directory } = await podCgroup({ '.': [0, 10] });
    const { rounds } = await run(directory, () => undefined);
    expect(rounds[0]).toEqual([10]);
  });

  it('leaves the killing to a kernel that kills a whole cgroup at once, and signals no PID', async () => {
    const { directory, exists, empty } = await podCgroup({ '.': [10], a: [11] });
    const written: string[] = [];
    const write = async (file: string, content: string): Promise<void> => {
      written.push(`${path.relative(directory, file)} ${content}`);
      for (const child of ['.', 'a']) await empty(child);
    };
    const killed: number[] = [];
    const seen: (readonly number[])[] = [];
    await removeCgroup(directory, {
      files: { ...kernelCgroupFiles, write },
      clock: new VirtualClock(),
      kill: (pid) => void killed.push(pid),
      onKilled: (pids) => void seen.push(pids),
    });
    expect({ written, killed, seen }).toEqual({ written: ['cgroup.kill 1'], killed: [], seen: [[10, 11]] });
    await expect(exists()).resolves.toBe(false);
  });

  it('kills nothing in an empty cgroup, and rejects when the kernel refuses', async () => {
    const { directory } = await podCgroup({ '.': [10] });
    const refused = Object.assign(new Error('EPERM'), { code: 'EPERM' });
    const parts = { files: { write: () => Promise.reject(refused) }, kill: () => undefined };
    await expect(killBelow(directory, parts)).rejects.toThrow('EPERM');
    expect(await killBelow(path.join(base, 'missing'), parts)).toEqual([]);
  });

  it('takes what is gone as removed', async () => {
    const { outcome, rounds } = await run(path.join(base, 'missing'), () => undefined);
    expect({ outcome, rounds }).toEqual({ outcome: 'removed', rounds: [] });
  });
});
