import { mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exists } from '@podwright/filesystem';
import type { AttachableVolumes, BlockVolumes, DeviceMountableVolumes, VolumeSpec } from '@podwright/volume-interface';
import { ScriptedFabric } from './fixtures/scripted-fabric.js';

const byPort = { targetWWNs: ['50060e801049cfd1', '50060e801049cfd2'], lun: 0 };
const byId = { wwids: ['3600508b4', 'VENDOR disk 1'] };

describe('the plugin for Fibre Channel', () => {
  let node: ScriptedFabric;
  beforeEach(async () => {
    node = await ScriptedFabric.create();
  });
  afterEach(() => node.close());

  function parts(plugin = node.plugin()): AttachableVolumes & DeviceMountableVolumes & BlockVolumes {
    const { attachable, deviceMountable, block } = plugin;
    if (attachable === undefined || deviceMountable === undefined || block === undefined) throw new Error('incomplete');
    return { ...attachable, ...deviceMountable, ...block };
  }
  const attach = (fc: Parameters<typeof node.spec>[0]): Promise<string> =>
    parts().waitForAttach(node.spec(fc), '', node.signal);
  const folder = (name: string, kind = ''): string => join(node.pluginsDir, 'kubernetes.io/fc', kind, name);
  const ports = '50060e801049cfd1-50060e801049cfd2-lun-0';
  async function mountFrom(spec: VolumeSpec, devicePath: string): Promise<string> {
    const path = await parts().deviceMountPath(spec);
    await parts().mountDevice(spec, path, { devicePath }, node.signal);
    return path;
  }

  it('has upstream names', async () => {
    const plugin = node.plugin();
    expect(plugin.volumeName?.(node.spec(byPort))).toBe('[50060e801049cfd1 50060e801049cfd2]:0');
    expect(plugin.volumeName?.(node.spec(byId))).toBe('[3600508b4 VENDOR disk 1]');
    expect(await parts().deviceMountPath(node.spec(byPort))).toBe(folder(ports));
    expect(await parts().deviceMountPath(node.spec(byId))).toBe(folder('3600508b4-VENDOR_disk_1'));
    expect(parts().newMapper(node.spec(byPort))).toMatchObject({
      globalMapPath: folder(ports, 'volumeDevices'),
      usage: 'block',
    });
    expect(() => plugin.volumeName?.(node.spec({ targetWWNs: ['1'] }))).toThrow('fc: no fc disk information found');
  });

  it('finds a disk by the port of a card, or of no card, but by no other', async () => {
    await node.addDisk('sda', 'by-path/pci-0000:41:00.0-fc-0x50060e801049cfd1-lun-01');
    await node.addDisk('sdb', 'by-path/xfc-0x50060e801049cfd1-lun-0');
    await expect(attach(byPort)).rejects.toThrow('no fc disk found');
    const last = await node.addDisk('sdc', 'by-path/fc-0x50060e801049cfd2-lun-0');
    expect(await attach(byPort)).toBe(last);
    const first = await node.addDisk('sdd', 'by-path/pci-0000:41:00.0-fc-0x50060e801049cfd1-lun-0');
    expect(await attach(byPort)).toBe(first);
  });

  it('finds a disk by an identifier with blanks', async () => {
    const path = await node.addDisk('sda', 'by-id/scsi-VENDOR_disk_1');
    expect(await attach(byId)).toBe(path);
  });

  it('makes the kernel look for disks unless there is a multipath device', async () => {
    await node.addDisk('sda', 'by-path/fc-0x50060e801049cfd1-lun-0');
    await node.addDisk('sdb', 'by-path/fc-0x50060e801049cfd2-lun-0');
    await attach(byPort);
    expect(await node.read('sys/class/scsi_host/host0/scan')).toBe('- - -');
    expect(await node.read('sys/class/scsi_host/host1/scan')).toBe('- - -');
    await node.write('sys/class/scsi_host/host0/scan', '');
    await node.addMultipath('dm-0', 'sdb');
    expect(await attach(byPort)).toBe('/dev/dm-0');
    expect(await node.read('sys/class/scsi_host/host0/scan')).toBe('');
  });

  it('formats and mounts for the node once, with all options, and binds for pods', async () => {
    const plugin = node.plugin();
    const persistentVolume = {
      metadata: { name: 'pv-1' },
      spec: { fc: { ...byPort, fsType: 'xfs' }, mountOptions: ['noatime'] },
    };
    const volume = { name: 'data', persistentVolumeClaim: { claimName: 'c', readOnly: true } };
    const spec = { ...node.spec(byPort), volume, persistentVolume };
    const path = await parts().deviceMountPath(spec);
    const mount = (): Promise<void> =>
      parts().mountDevice(spec, path, { devicePath: '/dev/sda', seLinuxLabel: 'a:b:c:d' }, node.signal);
    await mount();
    await mount();
    const options = ['context="a:b:c:d"', 'noatime', 'ro'];
    expect(node.formatted).toEqual([{ source: '/dev/sda', target: path, fsType: 'xfs', options }]);
    const mounter = plugin.newMounter(spec);
    await mounter.setUp(node.signal, { seLinuxLabel: 'a:b:c:d' });
    expect(node.mounts.requests.at(-1)).toEqual({
      source: path,
      target: join(node.podDir, 'volumes/kubernetes.io~fc/pv-1'),
      options: ['bind', 'noatime', 'ro'],
    });
    expect(mounter).toMatchObject({ readOnly: true, managed: false, selinuxRelabel: false });
    expect(mounter.usage).toBeUndefined();
    expect(plugin.newMounter(node.spec(byPort))).toMatchObject({ managed: true, selinuxRelabel: true });
    await plugin.tearDown(node.podDir, 'pv-1', node.signal);
    expect(await exists(mounter.hostPath)).toBe(false);
  });

  it('removes the directory when the disk cannot be mounted', async () => {
    node.mounts.beforeEach = () => Promise.reject(new Error('bad superblock'));
    await expect(mountFrom(node.spec(byPort), '/dev/sda')).rejects.toThrow('bad superblock');
    expect(await exists(folder(ports))).toBe(false);
  });

  it('gives the files of a writable volume to the group of the pod', async () => {
    const spec = node.spec(byPort, { securityContext: { fsGroup: process.getgid?.() ?? 0 } });
    const mounter = node.plugin().newMounter(spec);
    await mkdir(mounter.hostPath, { recursive: true });
    await writeFile(join(mounter.hostPath, 'file'), '', { mode: 0o600 });
    await mounter.setUp(node.signal);
    expect((await stat(join(mounter.hostPath, 'file'))).mode & 0o777).toBe(0o660);
    expect(node.measured).toEqual([
      expect.objectContaining({
        operation_name: 'volume_apply_access_control',
        status: 'success',
        volume_plugin: 'kubernetes.io/fc',
      }),
    ]);
  });

  it('unmounts a disk and removes it from the node', async () => {
    const disk = await node.addDisk('sda', 'by-path/fc-0x50060e801049cfd1-lun-0');
    node.failures['blockdev'] = 1;
    const path = await mountFrom(node.spec(byPort), disk);
    await parts().unmountDevice(path, node.signal);
    expect([node.mounts.unmounted, await exists(path)]).toEqual([[path], false]);
    expect(node.commands).toEqual([`blockdev --flushbufs ${disk}`]);
    expect(await node.read('sys/block/sda/device/delete')).toBe('1');
  });

  it('unmounts without a look at the file system: that of a lost disk may be broken', async () => {
    const path = await mountFrom(node.spec(byPort), '/dev/sda');
    // Any call on the path itself fails.
    await rm(path, { recursive: true });
    await symlink(path, path);
    await expect(parts().unmountDevice(path, node.signal)).rejects.toThrow('ELOOP');
    expect(node.mounts.unmounted).toEqual([path]);
  });

  it('removes the disk also when it died after unmounting', async () => {
    await node.addDisk('sda', 'by-path/fc-0x50060e801049cfd1-lun-0');
    await parts().unmountDevice(folder(ports), node.signal);
    expect(await node.read('sys/block/sda/device/delete')).toBe('1');
    await rm(join(node.dir, 'dev/disk'), { recursive: true });
    await parts().unmountDevice(folder(ports), node.signal);
    expect(node.commands).toHaveLength(1);
  });

  it('waits for a multipath device that is busy, two minutes at most', async () => {
    await node.addDisk('sda', 'by-path/fc-0x50060e801049cfd1-lun-0');
    await node.addDisk('sdb', 'by-path/fc-0x50060e801049cfd2-lun-0');
    await node.addMultipath('dm-0', 'sda', 'sdb');
    node.failures['multipath'] = 2;
    const path = await mountFrom(node.spec(byPort), '/dev/dm-0');
    const work = parts().unmountDevice(path, node.signal);
    await node.clock.advance(20_000);
    await work;
    const flush = 'multipath -f /dev/dm-0';
    const disks = ['blockdev --flushbufs /dev/sda', 'blockdev --flushbufs /dev/sdb'];
    expect(node.commands).toEqual([flush, flush, flush, ...disks]);
    expect(await node.read('sys/block/sdb/device/delete')).toBe('1');

    node.failures['multipath'] = 100;
    const again = parts()
      .unmountDevice(path, node.signal)
      .catch((error: unknown) => String(error));
    await node.clock.advance(120_000);
    expect(await again).toContain('fc: failed to detach disk: /dev/dm-0: failed to flush multipath device');
  });

  it('removes a block device with its folder, even when its path is not known any more', async () => {
    await node.addDisk('sda', 'by-id/scsi-3600508b4');
    const mapper = parts().newMapper(node.spec(byId));
    await mkdir(mapper.globalMapPath, { recursive: true });
    await mapper.tearDownDevice?.('', node.signal);
    expect([await node.read('sys/block/sda/device/delete'), await exists(mapper.globalMapPath)]).toEqual(['1', false]);
    await rm(join(node.dir, 'dev/disk'), { recursive: true });
    await mapper.tearDownDevice?.('', node.signal);
    await mapper.tearDownDevice?.(join(node.dir, 'dev/gone'), node.signal);
  });

  it('is rebuilt from the mount table', async () => {
    const plugin = node.plugin();
    for (const source of [byPort, { wwids: ['3600508b4', 'VENDOR_disk_1'] }]) {
      await mountFrom(node.spec(source), '/dev/sda');
      await plugin.newMounter(node.spec(source)).setUp(node.signal);
      const rebuilt = await plugin.reconstruct?.(node.podDir, 'data', 'Filesystem');
      expect(rebuilt).toEqual({ volume: { name: 'data', fc: source }, seLinuxLabel: undefined });
      await plugin.tearDown(node.podDir, 'data', node.signal);
      await node.mounts.unmount(await parts().deviceMountPath(node.spec(source)));
    }
    await mkdir(join(node.podDir, 'volumes/kubernetes.io~fc/data'), { recursive: true });
    await expect(plugin.reconstruct?.(node.podDir, 'data', 'Filesystem')).rejects.toThrow(
      "couldn't fetch globalPDPath. failed to obtain volume spec",
    );
  });

  it('is rebuilt from the folder in which the pod has its device', async () => {
    const link = join(node.podDir, 'volumeDevices/kubernetes.io~fc/pv-0');
    const global = folder(ports, 'volumeDevices');
    await mkdir(join(link, '..'), { recursive: true });
    await mkdir(global, { recursive: true });
    await symlink('/dev/null', link);
    await symlink('/dev/null', join(global, 'uid-1'));
    const rebuilt = await node.plugin().reconstruct?.(node.podDir, 'pv-0', 'Block');
    expect(rebuilt?.persistentVolume).toEqual({
      metadata: { name: 'pv-0' },
      spec: { volumeMode: 'Block', fc: byPort },
    });
  });
});
