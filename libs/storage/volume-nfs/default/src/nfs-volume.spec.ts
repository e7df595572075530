import { stat } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { onAbort } from '@podwright/time';
import { NfsHarness } from './fixtures/nfs-harness.js';

let harness: NfsHarness;
beforeEach(async () => {
  harness = await NfsHarness.create();
});
const setUp = (...spec: Parameters<NfsHarness['spec']>): Promise<void> =>
  harness
    .plugin()
    .newMounter(harness.spec(...spec))
    .setUp(harness.signal);
const hang = (signal?: AbortSignal): Promise<never> =>
  new Promise((_, reject) => onAbort(signal, () => reject(signal?.reason as Error)));

describe('an NFS volume', () => {
  it('is mounted once, read-only where the pod wants it', async () => {
    await setUp({ readOnly: true });
    await setUp({ readOnly: true });
    expect(harness.mounts.requests).toEqual([
      { source: 'server:/export', target: harness.path, fsType: 'nfs', options: ['ro'] },
    ]);
    expect((await stat(harness.path)).mode & 0o777).toBe(0o750);
  });

  it('of a PersistentVolume has its mount options, and its name on disk', async () => {
    const nfs = { server: '2001:db8::1', path: '/e', readOnly: true };
    const spec = harness.spec(
      {},
      { metadata: { name: 'share' }, spec: { nfs, mountOptions: ['nfsvers=4.2', 'hard'] } },
    );
    const mounter = harness.plugin().newMounter(spec);
    expect(mounter).toMatchObject({ hostPath: harness.path, readOnly: false, managed: false, selinuxRelabel: false });
    await mounter.setUp(harness.signal);
    expect(harness.mounts.requests).toMatchObject([{ source: '[2001:db8::1]:/e', options: ['hard', 'nfsvers=4.2'] }]);
  });

  it('leaves nothing behind when it cannot be mounted', async () => {
    harness.mounts.beforeEach = () => Promise.reject(new Error('mount failed: exit status 32'));
    await expect(setUp()).rejects.toThrow('mount failed: exit status 32');
    await expect(stat(harness.path)).rejects.toThrow('ENOENT');
  });

  it('is given up when its server does not answer', async () => {
    harness.mounts.beforeEach = (_operation, _target, signal) => hang(signal);
    const mounting = setUp().catch((error: unknown) => error);
    await harness.clock.advance(149_999);
    expect(harness.mounts.requests).toHaveLength(1);
    await harness.clock.advance(1);
    expect(await mounting).toMatchObject({ code: 'deadline-exceeded' });
    await expect(stat(harness.path)).rejects.toThrow('ENOENT');
  });

  it('is unmounted by force when its server has died', async () => {
    await setUp();
    const operations: string[] = [];
    harness.mounts.beforeEach = async (operation, _target, signal) => {
      operations.push(operation);
      if (operation === 'unmount') await hang(signal);
    };
    const torn = harness.plugin().tearDown(harness.podDir, 'share', harness.signal);
    await harness.clock.advance(60_000);
    await torn;
    expect(operations).toEqual(['unmount', 'force-unmount']);
    await expect(stat(harness.path)).rejects.toThrow('ENOENT');
  });
});
