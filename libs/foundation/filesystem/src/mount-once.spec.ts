import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { VirtualClock } from '@podwright/time';
import { exists } from './exists.js';
import { globalMountOf } from './global-mount.js';
import { MemoryMounts } from './memory-mounts.js';
import { mountOnce } from './mount-once.js';

describe('mounts of volumes', () => {
  let folder = '';
  let mounts: MemoryMounts;
  let left: unknown[];
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'mount-once-')));
    mounts = new MemoryMounts();
    left = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  const target = (): string => join(folder, 'a/b');
  const once = (
    mount = (): Promise<void> => mounts.mount({ source: '/dev/sda', target: target() }),
    signal = new AbortController().signal,
  ): Promise<boolean> => mountOnce({ mounts, target: target(), mount, onLeft: (error) => left.push(error) }, signal);

  it('are made once, on a directory that others cannot enter', async () => {
    expect([await once(), await once()]).toEqual([true, false]);
    expect([mounts.requests.length, (await stat(target())).mode & 0o777]).toEqual([1, 0o750]);
  });

  it('are undone when they fail half-way, and the first failure counts', async () => {
    const halfWay = async (): Promise<void> => {
      await mounts.mount({ source: '/dev/sda', target: target() });
      throw new Error('half-way');
    };
    await expect(once(halfWay)).rejects.toThrow('half-way');
    expect([mounts.unmounted, await exists(target()), left]).toEqual([[target()], false, []]);
    mounts.beforeEach = async (operation) => {
      if (operation === 'unmount') throw new Error('busy');
    };
    await expect(once(halfWay)).rejects.toThrow('half-way');
    expect(left).toEqual([new Error('busy')]);
  });

  it('are left to the next attempt when the signal aborts', async () => {
    const controller = new AbortController();
    const aborted = async (): Promise<void> => {
      controller.abort();
      throw new Error('aborted');
    };
    await expect(once(aborted, controller.signal)).rejects.toThrow('aborted');
    expect(await exists(target())).toBe(true);
  });

  it('of a pod lead to that of the node, also while the kernel lists them inconsistently', async () => {
    const clock = new VirtualClock();
    const [global, ofPod] = [join(folder, 'plugins/x/disk'), target()];
    await once();
    await mounts.mount({ source: ofPod, target: global, options: ['bind'] });
    expect(await globalMountOf(mounts, ofPod, '/plugins/x/', clock)).toBe(global);
    expect(await globalMountOf(mounts, ofPod, '/plugins/y/', clock)).toBeUndefined();
    let fails = 2;
    const passing = {
      list: async () => {
        if (fails-- > 0) throw new KubeletError('no', { code: 'unavailable', reason: 'inconsistent read' });
        return mounts.list();
      },
    };
    const found = globalMountOf(passing, ofPod, '/plugins/x/', clock);
    await clock.advance(20);
    expect(await found).toBe(global);
    const never = globalMountOf({ list: () => Promise.reject(new Error('gone')) }, ofPod, '/plugins/x/', clock);
    await expect(never).rejects.toThrow('gone');
  });
});
