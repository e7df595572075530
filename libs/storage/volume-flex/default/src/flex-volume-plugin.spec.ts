import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exists } from '@podwright/filesystem';
import type { DeviceMountableVolumes, AttachableVolumes, VolumePlugin } from '@podwright/volume-interface';
import { RecordedDriver } from './fixtures/recorded-driver.js';

const done = { status: 'Success' };

describe('the plugin of a FlexVolume driver', () => {
  let driver: RecordedDriver;
  beforeEach(async () => {
    driver = await RecordedDriver.create();
  });
  afterEach(() => driver.close());

  const attachable = (plugin: VolumePlugin): AttachableVolumes => {
    if (plugin.attachable === undefined) throw new Error('it does not attach');
    return plugin.attachable;
  };
  const devices = (plugin: VolumePlugin): DeviceMountableVolumes => {
    if (plugin.deviceMountable === undefined) throw new Error('it mounts no devices');
    return plugin.deviceMountable;
  };
  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8);
  const options = (index = 0, at = 1): unknown => JSON.parse(driver.calls[index]?.[at] ?? '');
  const basics = {
    'kubernetes.io/fsType': '',
    'kubernetes.io/readwrite': 'rw',
    'kubernetes.io/pvOrVolumeName': 'data',
  };

  it('is for volumes of its driver only, also of claims', () => {
    const plugin = driver.plugin();
    const { volume, persistentVolume } = driver.specOfClaim();
    expect(plugin.canSupport(driver.spec().volume)).toBe(true);
    expect(plugin.canSupport(volume, persistentVolume)).toBe(true);
    expect(plugin.canSupport(volume)).toBe(false);
    expect(plugin.canSupport({ name: 'data', flexVolume: { driver: 'example.dev/greeting' } })).toBe(false);
    expect(plugin.volumeName?.(driver.specOfClaim())).toBe('pv-1');
  });

  it('attaches nothing when the driver says so', () => {
    const { attachable: attaches, deviceMountable } = driver.plugin({ attach: false });
    expect([attaches, deviceMountable]).toEqual([undefined, undefined]);
  });

  it('attaches, waits and detaches through the driver', async () => {
    Object.assign(driver.answers, {
      attach: { ...done, device: '/dev/sdx' },
      waitforattach: { ...done, device: '/dev/sdy' },
      detach: done,
    });
    const attach = attachable(driver.plugin());
    expect(await attach.attach(driver.spec(), 'node-1', driver.signal)).toBe('/dev/sdx');
    expect(await attach.waitForAttach(driver.spec(), '/dev/sdx', driver.signal)).toBe('/dev/sdy');
    await attach.detach('data', 'node-1', driver.signal);
    expect(driver.calls.map(([command]) => command)).toEqual(['attach', 'waitforattach', 'detach']);
    expect(options()).toEqual(basics);
    expect([driver.calls[0]?.[2], driver.calls[1]?.[1]]).toEqual(['node-1', '/dev/sdx']);
    expect(driver.calls[2]).toEqual(['detach', 'data', 'node-1']);
  });

  it('counts as attached when the driver does not know the commands', async () => {
    const attach = attachable(driver.plugin());
    expect(await attach.attach(driver.spec(), 'node-1', driver.signal)).toBe('');
    expect(await attach.waitForAttach(driver.spec(), '/dev/sdx', driver.signal)).toBe('/dev/sdx');
    await attach.detach('data', 'node-1', driver.signal);
  });

  it('tells the driver about the volume; options of the volume win', async () => {
    driver.answers['attach'] = done;
    const given = { fsType: 'xfs', readOnly: true, options: { a: '<1>', 'kubernetes.io/fsType': 'own' } };
    await attachable(driver.plugin()).attach(driver.spec(given), 'n', driver.signal);
    expect(driver.calls[0]?.[1]).toBe(
      '{"a":"\\u003c1\\u003e","kubernetes.io/fsType":"own","kubernetes.io/pvOrVolumeName":"data",' +
        '"kubernetes.io/readwrite":"ro"}',
    );
    await attachable(driver.plugin()).attach(driver.specOfClaim(), 'n', driver.signal);
    expect(options(1)).toMatchObject({ 'kubernetes.io/pvOrVolumeName': 'pv-1', 'kubernetes.io/readwrite': 'ro' });
  });

  it('lets the driver mount a device once, and unmount it', async () => {
    Object.assign(driver.answers, { mountdevice: done, unmountdevice: done });
    const mount = devices(driver.plugin());
    const path = await mount.deviceMountPath(driver.spec());
    expect(path).toBe(join(driver.folder, 'plugins/kubernetes.io/flexvolume/example.dev/disk/mounts/data'));
    await mount.mountDevice(driver.spec(), path, { devicePath: '/dev/sdx' }, driver.signal);
    expect(driver.calls[0]?.slice(0, 3)).toEqual(['mountdevice', path, '/dev/sdx']);
    expect(await modeOf(path)).toBe('750');
    await driver.mounts.mount({ source: '/dev/sdx', target: path });
    await mount.mountDevice(driver.spec(), path, { devicePath: '/dev/sdx' }, driver.signal);
    expect(driver.calls).toHaveLength(1);
    await mount.unmountDevice(path, driver.signal);
    expect(driver.calls[1]).toEqual(['unmountdevice', path]);
    expect([await exists(path), driver.mounts.unmounted]).toEqual([false, []]);
    await driver.mounts.unmount(path); // as a driver does
    await mount.unmountDevice(path, driver.signal);
    expect(driver.calls).toHaveLength(2);
  });

  it('formats, mounts and unmounts a device that the driver leaves to the node', async () => {
    const mount = devices(driver.plugin());
    const path = await mount.deviceMountPath(driver.spec());
    await mount.mountDevice(driver.spec({ fsType: 'xfs' }), path, { devicePath: '/dev/sdx' }, driver.signal);
    expect(driver.formatted).toEqual([{ source: '/dev/sdx', target: path, fsType: 'xfs', options: ['rw'] }]);
    await mount.unmountDevice(path, driver.signal);
    expect([driver.mounts.unmounted, await exists(path)]).toEqual([[path], false]);
    await mount.mountDevice(driver.spec(), path, { devicePath: '' }, driver.signal);
    expect(driver.formatted).toHaveLength(1);
  });

  it('removes the directory when the driver cannot mount', async () => {
    const [plugin, failure] = [driver.plugin(), { status: 'Failure', message: 'no' }];
    Object.assign(driver.answers, { mountdevice: failure, mount: failure });
    const path = await devices(plugin).deviceMountPath(driver.spec());
    const mounting = devices(plugin).mountDevice(driver.spec(), path, { devicePath: '' }, driver.signal);
    await expect(mounting).rejects.toThrow('mountdevice command failed, status: Failure, reason: no');
    const mounter = plugin.newMounter(driver.spec());
    await expect(mounter.setUp(driver.signal)).rejects.toThrow('mount command failed');
    expect([await exists(path), await exists(mounter.hostPath)]).toEqual([false, false]);
  });

  it('mounts for a pod, whom the driver learns with its secret', async () => {
    driver.answers['mount'] = done;
    driver.secrets.set('default/s', { type: 'example.dev/disk', data: { key: 'dmFsdWU=' } });
    const podSpec = { serviceAccountName: 'sa', securityContext: { fsGroup: 1234 } };
    const mounter = driver.plugin({ fsGroup: false }).newMounter(driver.spec({ secretRef: { name: 's' } }, podSpec));
    await mounter.setUp(driver.signal);
    expect(driver.calls[0]?.slice(0, 2)).toEqual(['mount', mounter.hostPath]);
    expect(options(0, 2)).toEqual({
      ...basics,
      'kubernetes.io/pod.name': 'p',
      'kubernetes.io/pod.namespace': 'default',
      'kubernetes.io/pod.uid': 'uid-1',
      'kubernetes.io/serviceAccount.name': 'sa',
      'kubernetes.io/mounterArgs.FsGroup': '1234',
      'kubernetes.io/secret/key': 'dmFsdWU=',
    });
    expect(await modeOf(mounter.hostPath)).toBe('750');
  });

  it('refuses a secret that is missing or for another driver', async () => {
    const setUp = (): Promise<void> =>
      driver
        .plugin()
        .newMounter(driver.specOfClaim({ secretRef: { name: 's', namespace: 'other' } }))
        .setUp(driver.signal);
    await expect(setUp()).rejects.toThrow('couldn\'t get secret other/s err: secrets "s" not found');
    driver.secrets.set('other/s', { type: 'Opaque' });
    await expect(setUp()).rejects.toThrow(
      "couldn't get secret other/s err: cannot get secret of type example.dev/disk",
    );
    expect(driver.calls).toEqual([]);
  });

  it('gives the files to the group unless the driver or the volume does not allow it', async () => {
    driver.answers['mount'] = done;
    const podSpec = { securityContext: { fsGroup: process.getgid?.() ?? 0 } };
    const setUp = async (flexVolume: object, capability: boolean): Promise<string> => {
      const mounter = driver.plugin({ fsGroup: capability }).newMounter(driver.spec(flexVolume, podSpec));
      await mkdir(mounter.hostPath, { recursive: true });
      await writeFile(join(mounter.hostPath, 'file'), '', { mode: 0o600 });
      await mounter.setUp(driver.signal);
      return modeOf(join(mounter.hostPath, 'file'));
    };
    expect(await setUp({}, false)).toBe('600');
    expect(await setUp({ readOnly: true }, true)).toBe('600');
    expect(driver.measured).toEqual([]);
    expect(await setUp({}, true)).toBe('660');
    expect(driver.measured).toEqual([
      expect.objectContaining({ operation_name: 'volume_apply_access_control', volume_plugin: 'example.dev/disk' }),
    ]);
  });

  it('binds the device when the driver does not mount for pods', async () => {
    const plugin = driver.plugin();
    const source = await devices(plugin).deviceMountPath(driver.spec());
    const mounter = plugin.newMounter(driver.spec());
    await mounter.setUp(driver.signal);
    await mounter.setUp(driver.signal);
    expect(driver.mounts.requests).toEqual([{ source, target: mounter.hostPath, fsType: 'auto', options: ['bind'] }]);
    await plugin.tearDown(driver.podDir, 'data', driver.signal);
    expect([driver.mounts.unmounted, await exists(mounter.hostPath)]).toEqual([[mounter.hostPath], false]);
  });

  it('is unmounted by the driver; a directory with content stays', async () => {
    Object.assign(driver.answers, { mount: done, unmount: done });
    const plugin = driver.plugin();
    const { hostPath, setUp } = plugin.newMounter(driver.spec());
    await plugin.tearDown(driver.podDir, 'data', driver.signal);
    expect(driver.calls).toEqual([]);
    await setUp.call(plugin.newMounter(driver.spec()), driver.signal);
    await writeFile(join(hostPath, 'kept'), '');
    await expect(plugin.tearDown(driver.podDir, 'data', driver.signal)).rejects.toThrow('ENOTEMPTY');
    expect(driver.calls[1]).toEqual(['unmount', hostPath]);
  });

  it('is unmounted without a look at what is mounted: that may be broken', async () => {
    Object.assign(driver.answers, { unmount: done, unmountdevice: done });
    const plugin = driver.plugin();
    const { hostPath } = plugin.newMounter(driver.spec());
    const devicePath = await devices(plugin).deviceMountPath(driver.spec());
    for (const target of [hostPath, devicePath]) {
      // Any call on the path itself fails, as on a broken mount.
      await mkdir(dirname(target), { recursive: true });
      await symlink(target, target);
      await driver.mounts.mount({ source: 'server:/', target });
    }
    await expect(plugin.tearDown(driver.podDir, 'data', driver.signal)).rejects.toThrow('ENOTDIR');
    await expect(devices(plugin).unmountDevice(devicePath, driver.signal)).rejects.toThrow('ENOTDIR');
    expect(driver.calls).toEqual([
      ['unmount', hostPath],
      ['unmountdevice', devicePath],
    ]);
  });

  it('says what the driver says about labels, usage and growth', () => {
    const plugin = driver.plugin({ selinuxRelabel: false, supportsMetrics: true, requiresFSResize: false });
    const readOnly = plugin.newMounter(driver.spec({ readOnly: true }));
    expect(readOnly).toMatchObject({ readOnly: true, managed: false, selinuxRelabel: false, usage: 'file-system' });
    expect(driver.plugin().newMounter(driver.spec())).toMatchObject({ managed: true, selinuxRelabel: true });
    expect(driver.plugin().newMounter(driver.spec()).usage).toBeUndefined();
    expect([plugin.expandable?.requiresFsResize(), driver.plugin().expandable?.requiresFsResize()]).toEqual([
      false,
      true,
    ]);
  });

  it('grows by the driver, or as any file system', async () => {
    const request = { mode: 'Filesystem', devicePath: '/dev/sdx', deviceMountPath: '/m', volumePath: '/v' } as const;
    const grow = (spec = driver.specOfClaim()): Promise<void> | undefined =>
      driver.plugin().expandable?.nodeExpand({ ...request, spec, oldBytes: 1, newBytes: 2 }, driver.signal);
    await grow();
    expect(driver.resized).toEqual([['/dev/sdx', '/m']]);
    driver.answers['expandfs'] = done;
    await grow();
    expect(driver.resized).toHaveLength(1);
    expect([driver.calls[1]?.[0], driver.calls[1]?.slice(2)]).toEqual(['expandfs', ['/dev/sdx', '/m', '2', '1']]);
    await expect(grow(driver.spec())).rejects.toThrow('PersistentVolume not found for spec: data');
  });

  it('is rebuilt from its name', async () => {
    expect(await driver.plugin().reconstruct?.('/pods/uid-1', 'data', 'Filesystem')).toEqual({
      volume: { name: 'data', flexVolume: { driver: 'example.dev/disk' } },
    });
  });
});
