import { execFile } from 'node:child_process';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { createSystemClock, eventually } from '@podwright/time';
import { WorkerDiskUsage } from './worker-disk-usage.js';
import { diskUsageWorkerSource } from './worker-source.js';

const run = promisify(execFile);
const never = new AbortController().signal;

describe('disk usage in a thread', () => {
  let folder = '';
  let usage: WorkerDiskUsage;
  const path = (...parts: string[]): string => join(folder, ...parts);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'disk-usage-'));
    usage = new WorkerDiskUsage(createSystemClock(), { idleMs: 50 });
  });

  afterEach(async () => {
    await usage.stop();
    await rm(folder, { recursive: true, force: true });
  });

  // GNU du counts as upstream does: blocks, hard links once, links themselves, one file system.
  async function du(target: string): Promise<{ bytes: number; inodes: number }> {
    const numberOf = async (...args: string[]): Promise<number> => {
      const { stdout } = await run('du', ['-s', '-x', ...args, target]);
      return Number(stdout.split('\t')[0]);
    };
    return { bytes: 512 * (await numberOf('-B512')), inodes: await numberOf('--inodes') };
  }

  it('counts a tree as du does: hard links once, symbolic links themselves, odd names', async () => {
    await mkdir(path('a/b/c'), { recursive: true });
    await writeFile(path('a/file'), Buffer.alloc(100_000));
    await link(path('a/file'), path('a/b/same'));
    await symlink('/usr', path('a/b/c/link'));
    await writeFile(Buffer.concat([Buffer.from(path('a/')), Buffer.from([0xff, 0xfe, 0x0a])]), 'not text');
    const found = await usage.tree(path('a'), never);
    expect(found).toMatchObject({ ...(await du(path('a'))), complete: true });
    expect(found.inodes).toBe(6);
    expect(found.fileSystem.capacityBytes).toBeGreaterThanOrEqual(found.fileSystem.availableBytes);
  });

  it('counts a single file, and a link by itself', async () => {
    await writeFile(path('hosts'), 'x');
    await symlink('/usr', path('link'));
    expect(await usage.tree(path('hosts'), never)).toMatchObject({ bytes: 4096, inodes: 1 });
    expect(await usage.tree(path('link'), never)).toMatchObject({ inodes: 1, complete: true });
  });

  it('tells a missing path apart', async () => {
    const error: unknown = await usage.tree(path('none'), never).catch((caught: unknown) => caught);
    expect(hasCode(error, 'not-found')).toBe(true);
  });

  it('counts the files of folders, and of the folders in them, and nothing deeper', async () => {
    await mkdir(path('pod/app/deeper'), { recursive: true });
    await mkdir(path('pod/empty'));
    await writeFile(path('pod/app/0.log'), Buffer.alloc(10_000));
    await writeFile(path('pod/app/1.log'), 'x');
    await writeFile(path('pod/app/deeper/2.log'), 'x');
    await writeFile(path('pod/own'), 'x');
    await symlink('/usr', path('pod/outside'));
    const [pod, missing] = await usage.folders([path('pod'), path('none')], never);
    expect(pod?.own).toMatchObject({ bytes: 4096, inodes: 2, complete: true });
    expect(pod?.folders).toEqual({
      app: { bytes: 12_288 + 4096, inodes: 2, complete: true },
      empty: { bytes: 0, inodes: 0, complete: true },
    });
    expect(missing).toBeUndefined();
  });

  it('says of a tree that is deeper than it goes that it is larger', async () => {
    await mkdir(path(...Array.from({ length: 300 }, () => 'd')), { recursive: true });
    expect(await usage.tree(folder, never)).toMatchObject({ inodes: 251, complete: false });
  });

  it('gives what it has counted when its time is over', async () => {
    const hurried = new WorkerDiskUsage(createSystemClock(), { limitMs: 0 });
    await Promise.all(Array.from({ length: 1200 }, (_, index) => writeFile(path(`f${index}`), '')));
    const found = await hurried.tree(folder, never);
    expect(found).toMatchObject({ complete: false });
    expect(found.inodes).toBeLessThan(1201);
    await hurried.stop();
  });

  it('ends a count with its signal, goes on with others, and ends the thread when idle', async () => {
    const stop = new AbortController();
    const count = usage.tree('/usr', stop.signal);
    const other = usage.tree(folder, never);
    stop.abort(new Error('enough'));
    await expect(count).rejects.toThrow('enough');
    expect(await other).toMatchObject({ inodes: 1 });
    expect(usage.running).toBe(true);
    await eventually(() => !usage.running);
    expect(await usage.tree(folder, never)).toMatchObject({ inodes: 1 });
  });

  it('rejects what runs when it is stopped, and what comes after', async () => {
    const count = usage.tree('/usr', never);
    const stopped = usage.stop();
    await expect(count).rejects.toThrow('the count was stopped');
    await stopped;
    await expect(usage.tree(folder, never)).rejects.toThrow('disk usage is stopped');
  });

  it('does not hold up the loop, whatever the tree', async () => {
    const stop = new AbortController();
    let ended = false;
    const count = usage.tree('/', stop.signal).finally(() => {
      ended = true;
    });
    // On the loop the count would be over before its next turns.
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    expect(ended).toBe(false);
    stop.abort(new Error('enough'));
    await expect(count).rejects.toThrow('enough');
  });

  it('brings along what a bundler wraps names in', () => {
    expect(diskUsageWorkerSource()).toContain("require('node:worker_threads').parentPort");
    expect(() => new Function(diskUsageWorkerSource())).not.toThrow();
  });
});
