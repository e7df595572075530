import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { open, readFile, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readMountTable } from '@podwright/filesystem';
import { eventually } from '@podwright/time';
import { block, DriverKubelet, ext4, xfs } from '../fixtures/driver-kubelet.js';
import type { TestCsiDriverOptions } from '../test-csi-driver-options.js';

const run = promisify(execFile);
const mebibyte = 2 ** 20;
const started: DriverKubelet[] = [];
// Bit 24 is CAP_SYS_RESOURCE, without which the kernel does not grow a mounted ext4.
const capabilities = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
const mayGrowExt4 = ((BigInt(`0x${capabilities}`) >> 24n) & 1n) === 1n;

const hasProgram = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));
const missing = ['mkfs.xfs', 'xfs_growfs'].filter((name) => !hasProgram(name));
const withXfs = missing.length === 0 ? it : it.skip;

async function startDriver(options: Partial<TestCsiDriverOptions> = {}): Promise<DriverKubelet> {
  const kubelet = await DriverKubelet.create(options);
  started.push(kubelet);
  return kubelet;
}

/** The kernel detaches a device late that is in use: by another spec that looks at all disks, for instance. */
const detached = ({ driver }: DriverKubelet): Promise<void> =>
  eventually(async () => (await driver.volumes()).every(({ devices }) => devices.length === 0));

afterEach(async () => {
  for (const kubelet of started.splice(0)) {
    // What a failed case left must not stay on the machine.
    for (const { mountPoints, devices } of await kubelet.driver.volumes()) {
      for (const mountPoint of [...mountPoints].reverse()) await run('umount', [mountPoint]);
      for (const device of devices) await run('losetup', ['--detach', device]);
    }
    await kubelet.remove();
  }
});

describe('a disk', () => {
  it('keeps its data from one pod to the next and leaves nothing on the node', async () => {
    const kubelet = await startDriver({ volumes: { capacityBytes: 32 * mebibyte } });
    const { driver } = kubelet;
    await kubelet.stage('v1');
    await kubelet.stage('v1'); // each call may come again
    const first = await kubelet.publish('v1', 'a');
    await kubelet.publish('v1', 'a');
    await writeFile(path.join(first, 'file'), 'kept');
    expect((await statfs(first)).type).toBe(0xef53);
    await expect(kubelet.unstage('v1')).rejects.toMatchObject({ code: 'failed-precondition' });
    await kubelet.unpublish('v1', 'a');
    await expect(stat(first)).rejects.toMatchObject({ code: 'ENOENT' });
    await kubelet.unstage('v1');
    await detached(kubelet);
    expect(await driver.volumes()).toMatchObject([{ id: 'v1', kind: 'disk', mountPoints: [], devices: [] }]);

    await kubelet.stage('v1');
    const second = await kubelet.publish('v1', 'b', { readonly: true });
    expect(await readFile(path.join(second, 'file'), 'utf8')).toBe('kept');
    await expect(writeFile(path.join(second, 'file'), 'x')).rejects.toMatchObject({ code: 'EROFS' });
    await kubelet.unpublish('v1', 'b');
    await kubelet.unstage('v1');
    await detached(kubelet);
    await driver.deleteVolume('v1');
    expect(await driver.volumes()).toEqual([]);
  });

  (mayGrowExt4 ? it : it.skip)('grows while it is mounted', async () => {
    const kubelet = await startDriver({ maxCapacityBytes: 64 * mebibyte });
    await kubelet.stage('v1', ext4, { capacity: '16Mi' });
    const target = await kubelet.publish('v1', 'a');
    const before = await kubelet.stats('v1', target);
    expect(await kubelet.expand('v1', target, 48 * mebibyte)).toBe(BigInt(48 * mebibyte));
    const after = await kubelet.stats('v1', target);
    expect(after.usage.map(({ unit }) => unit)).toEqual([1, 2]);
    expect(Number(after.usage[0]?.total) - Number(before.usage[0]?.total)).toBeGreaterThan(24 * mebibyte);
    await expect(kubelet.expand('v1', target, 65 * mebibyte)).rejects.toMatchObject({ code: 'out-of-range' });

    kubelet.driver.pretendCapacity('v1', 60 * mebibyte);
    expect(await kubelet.expand('v1', target, 60 * mebibyte)).toBe(BigInt(60 * mebibyte));
    expect((await kubelet.stats('v1', target)).usage[0]?.total).toBe(BigInt(60 * mebibyte));
    expect(await kubelet.driver.volumes()).toMatchObject([{ capacityBytes: 48 * mebibyte }]);
  });

  const reason = missing.length === 0 ? '' : ` (skipped: no ${missing.join(' and no ')} on this machine)`;
  withXfs(`with xfs keeps its data and grows while it is mounted${reason}`, async () => {
    const capacityBytes = 320 * mebibyte; // the smallest that mkfs.xfs makes is 300 MiB
    const kubelet = await startDriver({ volumes: { capacityBytes } });
    await kubelet.stage('v1', xfs);
    const target = await kubelet.publish('v1', 'a', { volumeCapability: xfs });
    await writeFile(path.join(target, 'file'), 'kept');
    expect((await statfs(target)).type).toBe(0x58465342);
    const before = await kubelet.stats('v1', target);
    await kubelet.expand('v1', target, capacityBytes + 64 * mebibyte);
    const after = await kubelet.stats('v1', target);
    expect(Number(after.usage[0]?.total) - Number(before.usage[0]?.total)).toBeGreaterThan(48 * mebibyte);
    await kubelet.unpublish('v1', 'a');
    await kubelet.unstage('v1');
    await expect(kubelet.stage('v1', ext4)).rejects.toMatchObject({ code: 'failed-precondition' });
    await kubelet.stage('v1', xfs);
    const again = await kubelet.publish('v1', 'b', { volumeCapability: xfs });
    expect(await readFile(path.join(again, 'file'), 'utf8')).toBe('kept');
    await kubelet.unpublish('v1', 'b');
    await kubelet.unstage('v1');
    await detached(kubelet);
    expect(await kubelet.driver.volumes()).toMatchObject([{ mountPoints: [], devices: [] }]);
  });

  it('is a raw block device', async () => {
    const kubelet = await startDriver();
    await kubelet.stage('v1', block, { capacity: '16Mi' });
    const target = await kubelet.publish('v1', 'a', { volumeCapability: block });
    expect((await stat(target)).isBlockDevice()).toBe(true);
    await kubelet.expand('v1', target, 24 * mebibyte);
    await expect(kubelet.expand('v1', `${target}-link`, 32 * mebibyte)).rejects.toMatchObject({ code: 'not-found' });
    expect((await run('blockdev', ['--getsize64', target])).stdout.trim()).toBe(String(24 * mebibyte));
    await using(target, (device) => device.write(Buffer.from('raw'), 0, 3, mebibyte));
    await kubelet.unpublish('v1', 'a');
    expect((await kubelet.driver.volumes())[0]?.devices).toHaveLength(1); // still staged
    await kubelet.unstage('v1');
    await detached(kubelet);
    expect(await kubelet.driver.volumes()).toMatchObject([{ mountPoints: [], devices: [] }]);
    // Data that is no file system, and then one: never formatted over.
    await kubelet.stage('v1', block);
    const again = await kubelet.publish('v1', 'b', { volumeCapability: block });
    const read = await using(again, (device) => device.read(Buffer.alloc(3), 0, 3, mebibyte));
    expect(read.buffer.toString()).toBe('raw');
  });

  it('with another file system is never formatted', async () => {
    const kubelet = await startDriver();
    await kubelet.stage('v1');
    await kubelet.unstage('v1');
    const other = kubelet.stage('v1', xfs);
    await expect(other).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining('ext4'),
    });
    await expect(kubelet.stage('v2', { mount: { fsType: 'fat' } })).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  it('of a driver that died between a device and its mount is given back at the next start', async () => {
    const kubelet = await startDriver();
    await kubelet.stage('v1');
    const [state] = await kubelet.driver.volumes();
    await kubelet.driver.stop();
    await run('umount', [...(state?.mountPoints ?? [])]);
    await kubelet.driver.start(kubelet.dir);
    await detached(kubelet);
    expect(await kubelet.driver.volumes()).toMatchObject([{ devices: [] }]);
  });

  it('belongs to the group that mounts it', async () => {
    const kubelet = await startDriver({ capabilities: ['VOLUME_MOUNT_GROUP'] });
    const volumeCapability = { mount: { fsType: 'ext4', volumeMountGroup: '4321' } };
    const target = await kubelet.publish('v1', 'a', { stagingTargetPath: '', volumeCapability });
    const { gid, mode } = await stat(target);
    expect([gid, mode & 0o2070]).toEqual([4321, 0o2070]);
    await kubelet.unpublish('v1', 'a');
    await detached(kubelet);
    expect(await kubelet.driver.volumes()).toMatchObject([{ devices: [] }]);
  });
});

describe('a directory', () => {
  it('is bound to each target', async () => {
    const kubelet = await startDriver({ volumes: { kind: 'directory' } });
    await kubelet.stage('v1');
    const [a, b] = [await kubelet.publish('v1', 'a'), await kubelet.publish('v1', 'b')];
    await writeFile(path.join(a, 'file'), 'shared');
    expect(await readFile(path.join(b, 'file'), 'utf8')).toBe('shared');
    const single = { accessMode: { mode: 6 }, mount: {} } as const;
    const third = kubelet.publish('v1', 'c', { volumeCapability: single });
    await expect(third).rejects.toMatchObject({ code: 'failed-precondition' });
    await expect(kubelet.stage('v2', block)).rejects.toMatchObject({ code: 'invalid-argument' });
    for (const name of ['a', 'b']) await kubelet.unpublish('v1', name);
    await kubelet.unstage('v1');
    expect((await readMountTable()).filter(({ mountPoint }) => mountPoint.startsWith(kubelet.dir))).toEqual([]);
  });

  it('of an inline volume goes with its pod', async () => {
    const kubelet = await startDriver({ volumes: { kind: 'directory' } });
    const volumeContext = { 'csi.storage.k8s.io/ephemeral': 'true' };
    await kubelet.publish('csi-1', 'a', { stagingTargetPath: '', volumeContext });
    expect(await kubelet.driver.volumes()).toMatchObject([{ id: 'csi-1', ephemeral: true }]);
    await kubelet.unpublish('csi-1', 'a');
    expect(await kubelet.driver.volumes()).toEqual([]);
  });
});

async function using<T>(file: string, use: (handle: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
  const handle = await open(file, 'r+');
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}
