import { chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { VolumePlugin } from '@podwright/volume-interface';
import { LocalHarness, type SpecChanges } from './fixtures/local-harness.js';

let harness: LocalHarness;
let plugin: VolumePlugin;
beforeEach(async () => {
  harness = await LocalHarness.create();
  plugin = harness.plugin();
});
const setUp = (changes: SpecChanges = {}): Promise<void> =>
  plugin.newMounter(harness.spec(changes)).setUp(harness.signal);
const pathOf = (uid: string): string => join(harness.podDir(uid), 'volumes/kubernetes.io~local-volume/pv-1');
const groupOf = async (path: string): Promise<number> => (await stat(path)).gid;

describe('a local volume that is a directory', () => {
  it('is bound into the pod, with the options of the PersistentVolume, once', async () => {
    await setUp({ pv: { mountOptions: ['noexec'] }, readOnly: true });
    await setUp({ readOnly: true });
    expect(harness.mounts.requests).toEqual([
      { source: harness.source, target: pathOf('uid-1'), options: ['bind', 'noexec', 'ro'] },
    ]);
    expect((await stat(pathOf('uid-1'))).mode & 0o777).toBe(0o750);
  });

  it('is refused before it is mounted when it is missing or something else', async () => {
    const check = (path: string): Promise<void> | undefined =>
      plugin.checkSource?.(harness.spec({ pv: { local: { path } } }));
    await expect(check(harness.source)).resolves.toBeUndefined();
    await expect(check('/proc/nowhere')).rejects.toThrow('path "/proc/nowhere" does not exist');
    await expect(check('/proc/version/x')).rejects.toThrow(/^stat \/proc\/version\/x: not a directory$/);
    await expect(check('/dev/null')).rejects.toThrow('only directory and block device are supported');
    await expect(check('')).rejects.toThrow('local volume source is nil or local path is not set');
    await expect(setUp({ pv: { local: { path: `${harness.source}/..` } } })).rejects.toThrow("must not contain '..'");
  });

  it('is unmounted and its directory removed when the mount fails', async () => {
    harness.mounts.beforeEach = () => Promise.reject(new Error('mount failed'));
    await expect(setUp()).rejects.toThrow('mount failed');
    await expect(stat(pathOf('uid-1'))).rejects.toThrow('ENOENT');
  });

  it('is the device mount itself, needs no mount for the node, and stays when it is unmounted', async () => {
    const spec = harness.spec();
    expect(plugin.deviceMountable?.canDeviceMount(spec)).toBe(true);
    const path = await plugin.deviceMountable?.deviceMountPath(spec);
    expect(path).toBe(harness.source);
    await plugin.deviceMountable?.mountDevice(spec, harness.source, { devicePath: '' }, harness.signal);
    await plugin.deviceMountable?.unmountDevice(harness.source, harness.signal);
    expect(harness.mounts.requests).toEqual([]);
    expect(await readdir(harness.source)).toEqual([]);
  });
});

// Only root may change the owner of a file.
const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('the group of a local volume', () => {
  const group = { securityContext: { fsGroup: 2000 } };

  asRoot('is set by the first pod, by its policy', async () => {
    await writeFile(join(harness.source, 'file'), '');
    await setUp({ pod: group });
    expect(await groupOf(pathOf('uid-1'))).toBe(2000);
    await setUp({ uid: 'uid-2', pod: group });
    expect(await groupOf(pathOf('uid-2'))).not.toBe(2000);
    expect(harness.events).toEqual([
      'Warning AlreadyMountedVolume The requested fsGroup is 2000, but the volume pv-1 has GID 0. ' +
        'The volume may not be shareable.',
    ]);
  });

  asRoot('is no event when it is the same, and not set for a read-only volume', async () => {
    await chown(harness.source, 0, 2000);
    await setUp({ uid: 'uid-0' });
    await setUp({ uid: 'uid-1', pod: group, readOnly: true });
    expect(await groupOf(pathOf('uid-1'))).not.toBe(2000);
    expect(harness.events).toEqual([]);
  });

  asRoot('is decided by one pod at a time', async () => {
    const order: string[] = [];
    harness.mounts.beforeEach = async () => {
      order.push('begin');
      await new Promise((resolve) => setImmediate(resolve));
      order.push('end');
    };
    await Promise.all([setUp({ uid: 'uid-1', pod: group }), setUp({ uid: 'uid-2', pod: group })]);
    expect(order).toEqual(['begin', 'end', 'begin', 'end']);
    expect(harness.events).toHaveLength(1);
  });

  it('does not count mounts outside of pods', async () => {
    await harness.mounts.mount({ source: harness.source, target: '/elsewhere', options: ['bind'] });
    await setUp({ pod: { securityContext: { fsGroup: process.getgid?.() ?? 0 } } });
    expect(harness.events).toEqual([]);
  });
});

describe('a local volume after a restart', () => {
  it('that was a directory is known by its name', async () => {
    await setUp();
    const found = await plugin.reconstruct?.(harness.podDir('uid-1'), 'pv-1', 'Filesystem');
    expect(found).toMatchObject({
      persistentVolume: { metadata: { name: 'pv-1' }, spec: { local: { path: '' }, volumeMode: 'Filesystem' } },
    });
    const spec = { ...harness.spec(), ...found };
    expect(await plugin.deviceMountable?.deviceMountPath(spec)).toBe('');
    expect(plugin.volumeName?.(spec)).toBe('pv-1');
  });

  it('that was a disk is known by the mount of the node', async () => {
    const ofNode = join(harness.dir, 'root/plugins/kubernetes.io/local-volume/mounts/pv-1');
    await mkdir(ofNode, { recursive: true });
    await mkdir(pathOf('uid-1'), { recursive: true });
    await harness.mounts.mount({ source: '/dev/sdz', target: ofNode, fsType: 'ext4' });
    await harness.mounts.mount({ source: ofNode, target: pathOf('uid-1'), options: ['bind'] });
    const found = await plugin.reconstruct?.(harness.podDir('uid-1'), 'pv-1', 'Filesystem');
    expect(found?.persistentVolume?.spec?.local).toEqual({ path: '/dev/sdz' });
    await plugin.tearDown(harness.podDir('uid-1'), 'pv-1');
    await plugin.deviceMountable?.unmountDevice(ofNode, harness.signal);
    expect(harness.mounts.table).toHaveLength(1);
    await expect(stat(ofNode)).rejects.toThrow('ENOENT');
  });

  it('that was a block device has the folder of its links', async () => {
    const found = await plugin.reconstruct?.(harness.podDir('uid-1'), 'pv-1', 'Block');
    const mapper = plugin.block?.newMapper({ ...harness.spec(), ...found });
    expect(mapper?.globalMapPath).toBe(join(harness.dir, 'root/plugins/kubernetes.io~local-volume/volumeDevices/pv-1'));
  });
});

describe('a local volume in other uses', () => {
  it('is a block device by its path', async () => {
    const mapper = plugin.block?.newMapper(harness.spec({ pv: { local: { path: '/dev/sdz' }, volumeMode: 'Block' } }));
    expect(await mapper?.mapPodDevice?.(harness.signal)).toBe('/dev/sdz');
  });

  it('needs no growing as a directory, or as a block device', async () => {
    expect(plugin.expandable?.requiresFsResize()).toBe(true);
    const paths = { devicePath: '', deviceMountPath: harness.source, volumePath: pathOf('uid-1') };
    const request = { spec: harness.spec(), ...paths, oldBytes: 1, newBytes: 2 };
    await plugin.expandable?.nodeExpand({ ...request, mode: 'Filesystem' }, harness.signal);
    await plugin.expandable?.nodeExpand({ ...request, mode: 'Block' }, harness.signal);
    expect(harness.resized).toEqual([]);
  });

  it('refuses a directory whose server does not answer, and does not touch it', async () => {
    await harness.mounts.mount({ source: 'server:/', target: join(harness.dir, 'disks'), fsType: 'nfs4' });
    const plugin = harness.plugin();
    await plugin.checkSource?.(harness.spec());
    harness.answers = false;
    const checked = expect(plugin.checkSource?.(harness.spec())).rejects.toMatchObject({
      code: 'unavailable',
      message: `the file system at ${harness.source} does not answer`,
    });
    await harness.clock.advance(10_000);
    await checked;
  });
});
