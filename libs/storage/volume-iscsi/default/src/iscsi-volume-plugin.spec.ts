import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exists } from '@podwright/filesystem';
import {
  volumeFailure,
  type AttachableVolumes,
  type BlockVolumes,
  type DeviceMountableVolumes,
  type VolumeSpec,
} from '@podwright/volume-interface';
import { iqn, ScriptedInitiator } from './fixtures/scripted-initiator.js';

const portal = '10.0.0.1:3260';

describe('the plugin for iSCSI', () => {
  let node: ScriptedInitiator;
  beforeEach(async () => {
    node = await ScriptedInitiator.create();
  });
  afterEach(() => node.close());

  function parts(plugin = node.plugin()): AttachableVolumes & DeviceMountableVolumes & BlockVolumes {
    const { attachable, deviceMountable, block } = plugin;
    if (attachable === undefined || deviceMountable === undefined || block === undefined) throw new Error('incomplete');
    return { ...attachable, ...deviceMountable, ...block };
  }
  /** Attaches on a clock that stands still otherwise; each minute is more than any wait. */
  async function attach(spec: VolumeSpec = node.spec(), plugin = node.plugin()): Promise<string> {
    const work = parts(plugin).waitForAttach(spec, '', node.signal);
    let isDone = false;
    work.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    for (let left = 12; left > 0 && !isDone; left--) await node.clock.advance(60_000);
    return work;
  }
  async function mountFor(spec: VolumeSpec, plugin = node.plugin()): Promise<string> {
    const devicePath = await attach(spec, plugin);
    const path = await parts(plugin).deviceMountPath(spec);
    await parts(plugin).mountDevice(spec, path, { devicePath }, node.signal);
    return path;
  }
  const block = (spec: VolumeSpec, lun = 0): VolumeSpec => ({
    ...spec,
    volume: { name: 'data', persistentVolumeClaim: { claimName: 'c' } },
    persistentVolume: {
      metadata: { name: `pv-${lun}` },
      spec: { volumeMode: 'Block', iscsi: { targetPortal: '10.0.0.1', iqn, lun } },
    },
  });
  const folder = (kind = '', lun = 0): string =>
    join(node.pluginsDir, 'kubernetes.io/iscsi', kind, 'iface-default', `${portal}-${iqn}-lun-${lun}`);

  it('has upstream names', async () => {
    const plugin = node.plugin();
    expect(plugin.volumeName?.(node.spec())).toBe(`10.0.0.1:${iqn}:0`);
    expect(await parts().deviceMountPath(node.spec())).toBe(folder());
    expect(parts().newMapper(block(node.spec()))).toMatchObject({
      globalMapPath: folder('volumeDevices'),
      usage: 'block',
    });
    const own = await parts().deviceMountPath(node.spec({ initiatorName: 'iqn.me' }));
    expect(own).toContain(`/iscsi/iface-${portal}:data/`);
  });

  it('finds the target, logs in, scans for the one LUN and takes its disk', async () => {
    const path = join(node.dir, `dev/disk/by-path/ip-${portal}-iscsi-${iqn}-lun-0`);
    expect(await attach()).toBe(path);
    const [discovery, record] = [
      `-m discoverydb -t sendtargets -p ${portal} -I default`,
      `-m node -p ${portal} -T ${iqn} -I default`,
    ];
    expect(node.commands).toEqual([
      '-m iface -I default -o show',
      `${discovery} -o new`,
      `${discovery} --discover`,
      `${record} -o update -n node.session.scan -v manual`,
      `${record} --login`,
      `-m node -p ${portal} -T ${iqn} -o update -n node.startup -v manual`,
    ]);
    expect(await node.written('class/scsi_host/host0/scan')).toBe('0 0 0');
  });

  it('does not log in twice', async () => {
    await attach();
    node.commands.length = 0;
    await attach();
    expect(node.commands).toEqual(['-m iface -I default -o show']);
  });

  it('keeps what detaching needs in upstream form, but not below a mounted disk', async () => {
    await attach(node.spec({ portals: ['10.0.0.2:999'], iscsiInterface: '' }));
    const file = join(folder(), 'iscsi.json');
    expect(await readFile(file, 'utf8')).toBe(
      `{"VolName":"data","Portals":["${portal}","10.0.0.2:999"],"Iqn":"${iqn}","Lun":"0","InitIface":"default",` +
        '"Iface":"default","InitiatorName":"","MetricsProvider":null}\n',
    );
    expect((await stat(folder())).mode & 0o777).toBe(0o750);
    await rm(file);
    await node.mounts.mount({ source: '/dev/sda', target: folder() });
    await attach();
    expect(await exists(file)).toBe(false);
    await attach(block(node.spec()));
    expect(await exists(join(folder('volumeDevices'), 'iscsi.json'))).toBe(true);
  });

  it('is uncertain when it cannot keep that', async () => {
    await mkdir(join(folder(), 'iscsi.json'), { recursive: true });
    const error = await attach().catch((reason: unknown) => reason);
    expect(volumeFailure(error)).toBe('uncertain');
  });

  it('logs in with CHAP, and never names a password in an error', async () => {
    const data = Object.fromEntries(
      ['discovery.sendtargets.auth.', 'node.session.auth.'].flatMap((prefix) => [
        [`${prefix}username`, Buffer.from('user').toString('base64')],
        [`${prefix}password`, Buffer.from('geheim').toString('base64')],
      ]),
    );
    node.secrets.set('default/chap', { type: 'kubernetes.io/iscsi-chap', data });
    const spec = node.spec({ chapAuthDiscovery: true, chapAuthSession: true, secretRef: { name: 'chap' } });
    await attach(spec);
    const updates = node.commands.flatMap((command) => / -o update -n (\S+ -v \S+)$/.exec(command)?.[1] ?? []);
    expect(updates).toEqual([
      'discovery.sendtargets.auth.authmethod -v CHAP',
      'discovery.sendtargets.auth.username -v user',
      'discovery.sendtargets.auth.password -v geheim',
      'node.session.scan -v manual',
      'node.session.auth.authmethod -v CHAP',
      'node.session.auth.username -v user',
      'node.session.auth.password -v geheim',
      'node.startup -v manual',
    ]);
    await node.plugin().deviceMountable?.unmountDevice(folder(), node.signal);
    node.failures['session.auth.password'] = 6;
    const error = String(await attach(spec).catch((reason: unknown) => reason));
    expect(error).toContain(
      `iscsi: failed to update iscsi node to portal ${portal} error: ` +
        'iscsi: failed to update node session key "node.session.auth.password" error: no',
    );
    expect(error).not.toContain('geheim');
  });

  it.each([
    ['discovery.sendtargets.auth.authmethod', 'discoverydb with CHAP, output: no'],
    ['discovery.sendtargets.auth.username', 'discoverydb key "discovery.sendtargets.auth.username" error: no'],
    ['node.session.auth.authmethod', 'node with CHAP, output: no'],
  ])('says that %s could not be set', async (key, message) => {
    const data = { 'discovery.sendtargets.auth.username': 'dXNlcg==' };
    node.secrets.set('default/chap', { type: 'Opaque', data });
    node.failures[key] = 6;
    const spec = node.spec({ chapAuthDiscovery: true, chapAuthSession: true, secretRef: { name: 'chap' } });
    await expect(attach(spec)).rejects.toThrow(`error: iscsi: failed to update ${message}`);
  });

  it('is refused before all else while its secret is missing', async () => {
    const spec = node.spec({ chapAuthSession: true, secretRef: { name: 'chap' } });
    await expect(node.plugin().checkSource?.(spec)).rejects.toThrow(
      'couldn\'t get secret default/chap error: secrets "chap" not found',
    );
    node.secrets.set('default/chap', { type: 'Opaque' });
    await node.plugin().checkSource?.(spec);
    await node.plugin().checkSource?.(node.spec());
  });

  it('makes an interface for an initiator of its own, and deletes it with the session', async () => {
    const iface = `${portal}:data`;
    const spec = node.spec({ initiatorName: 'iqn.me' });
    const path = await mountFor(spec);
    expect(node.commands.slice(1, 5)).toEqual([
      '-m iface -I default -o show',
      `-m iface -I ${iface} -o new`,
      `-m iface -I ${iface} -o update -n iface.initiatorname -v iqn.me`,
      `-m iface -I ${iface} -o update -n iface.transport_name -v tcp`,
    ]);
    await parts().unmountDevice(path, node.signal);
    expect(node.commands.at(-1)).toBe(`-m iface -I ${iface} -o delete`);
    node.failures[`-I ${iface} -o new`] = 15;
    await attach(spec);
    node.failures['iface.transport_name'] = 6;
    await expect(attach(spec)).rejects.toThrow('iface(default) will be used');
    expect(node.commands.at(-1)).toBe(`-m iface -I ${iface} -o delete`);
  });

  it('deletes what it made when the portal refuses, and says why', async () => {
    node.failures['--login'] = 24;
    const failure = 'failed to get any path for iscsi disk, last err seen:\niscsi: failed to attach disk: Error: no';
    await expect(attach()).rejects.toThrow(failure);
    expect(node.commands.at(-1)).toBe(`-m node -p ${portal} -T ${iqn} -I default -o delete`);
    node.failures['--discover'] = 4;
    await expect(attach(node.spec({ initiatorName: 'iqn.me' }))).rejects.toThrow(
      `iscsi: failed to sendtargets to portal ${portal} output: no, err exit status 4`,
    );
    expect(node.commands.slice(-2)).toEqual([
      `-m discoverydb -t sendtargets -p ${portal} -I ${portal}:data -o delete`,
      `-m iface -I ${portal}:data -o delete`,
    ]);
    node.failures['-o show'] = 1;
    await expect(attach()).rejects.toThrow(/^exit status 1$/);
  });

  it('waits half a minute for a disk', async () => {
    node.luns = [];
    const work = attach();
    await expect(work).rejects.toThrow(/Timed out waiting for device at path .*-lun-0 after 30s$/);
    expect(node.clock.monotonic()).toBeGreaterThanOrEqual(29_000);
  });

  it('finds the disk of a card with iSCSI of its own, and of an IPv6 portal', async () => {
    await attach(node.spec({ targetPortal: '[fd00::1]:3260' }));
    expect(await exists(join(node.dir, `dev/disk/by-path/ip-fd00::1:3260-iscsi-${iqn}-lun-0`))).toBe(true);
    node.iface = ['iface.transport_name = be2iscsi'];
    const name = `pci-0000:01-ip-${portal}-iscsi-${iqn}-lun-0`;
    await symlink('/dev/null', join(node.dir, 'dev/disk/by-path', name));
    expect(await attach()).toBe(join(node.dir, 'dev/disk/by-path', name));
    node.iface = ['iface.transport_name = <empty>'];
    expect(await attach()).toContain('/ip-10.0.0.1');
    node.iface = [];
    await expect(attach()).rejects.toThrow('could not parse iface file for default');
  });

  it('takes the multipath device of several portals, and goes on with two of three paths', async () => {
    const spec = node.spec({ portals: ['10.0.0.2', '10.0.0.3'] });
    node.portalsWithDisk = (name) => !name.startsWith('10.0.0.3');
    await node.addMultipath('dm-0', 'sd10');
    expect(await attach(spec)).toBe('/dev/dm-0');
    expect(node.commands.filter((command) => command.includes('--login'))).toHaveLength(3);
    expect(await node.sessions()).toHaveLength(3);
  });

  it('tries five rounds for a second path', async () => {
    node.failures['-p 10.0.0.2:3260 -T'] = 8;
    expect(await attach(node.spec({ portals: ['10.0.0.2'] }))).toContain('/ip-10.0.0.1');
    const logins = node.commands.filter((command) => command.includes('10.0.0.2:3260') && command.includes('--login'));
    expect(logins).toHaveLength(5);
  });

  it('formats and mounts for the node once, with all options, and binds for pods', async () => {
    const plugin = node.plugin();
    const persistentVolume = {
      metadata: { name: 'pv-1' },
      spec: { iscsi: { targetPortal: '10.0.0.1', iqn, lun: 0, fsType: 'xfs' }, mountOptions: ['noatime'] },
    };
    const volume = { name: 'data', persistentVolumeClaim: { claimName: 'c', readOnly: true } };
    const spec = { ...node.spec(), volume, persistentVolume };
    const path = await parts(plugin).deviceMountPath(spec);
    const mount = (): Promise<void> =>
      parts(plugin).mountDevice(
        spec,
        path,
        { devicePath: '/dev/sda', seLinuxLabel: 'system_u:a:b:c1,c2' },
        node.signal,
      );
    await mount();
    await mount();
    expect(node.formatted).toEqual([
      { source: '/dev/sda', target: path, fsType: 'xfs', options: ['context="system_u:a:b:c1,c2"', 'noatime', 'ro'] },
    ]);
    const mounter = plugin.newMounter(spec);
    await mounter.setUp(node.signal, { seLinuxLabel: 'system_u:a:b:c1,c2' });
    await mounter.setUp(node.signal, { seLinuxLabel: 'system_u:a:b:c1,c2' });
    expect(node.mounts.requests.slice(1)).toEqual([
      { source: path, target: mounter.hostPath, options: ['bind', 'noatime', 'ro'] },
    ]);
    expect(mounter).toMatchObject({ readOnly: true, managed: false, selinuxRelabel: false, usage: 'file-system' });
    expect(plugin.newMounter(node.spec())).toMatchObject({ readOnly: false, managed: true, selinuxRelabel: true });
    expect(mounter.hostPath).toBe(join(node.podDir, 'volumes/kubernetes.io~iscsi/pv-1'));
    await plugin.tearDown(node.podDir, 'pv-1', node.signal);
    expect(await exists(mounter.hostPath)).toBe(false);
  });

  it('gives the files of a writable volume to the group of the pod', async () => {
    const spec = node.spec({}, { securityContext: { fsGroup: process.getgid?.() ?? 0 } });
    const { hostPath } = node.plugin().newMounter(spec);
    await mkdir(hostPath, { recursive: true });
    await writeFile(join(hostPath, 'file'), '', { mode: 0o600 });
    await node.plugin().newMounter(spec).setUp(node.signal);
    expect((await stat(join(hostPath, 'file'))).mode & 0o777).toBe(0o660);
    expect(node.measured).toEqual([
      expect.objectContaining({
        operation_name: 'volume_apply_access_control',
        status: 'success',
        volume_plugin: 'kubernetes.io/iscsi',
      }),
    ]);
  });

  it('is uncertain when the disk cannot be mounted, so that its session ends', async () => {
    node.mounts.beforeEach = () => Promise.reject(new Error('bad superblock'));
    const error = await mountFor(node.spec()).catch((reason: unknown) => reason);
    expect([String(error), volumeFailure(error)]).toEqual(['KubeletError: bad superblock', 'uncertain']);
    await parts().unmountDevice(folder(), node.signal);
    expect(await node.sessions()).toEqual([]);
  });

  it('removes the disks, logs out, and is done when it is called again', async () => {
    const path = await mountFor(node.spec({ portals: ['10.0.0.2'] }));
    await node.addMultipath('dm-0', 'sd00', 'sd10');
    node.commands.length = 0;
    await parts().unmountDevice(path, node.signal);
    expect(node.mounts.unmounted).toEqual([path]);
    expect(await node.written('block/sd00/device/delete')).toBe('1');
    expect(await node.written('block/sd10/device/delete')).toBe('1');
    expect(node.commands).toEqual([
      'multipath -f /dev/dm-0',
      ...[portal, '10.0.0.2:3260'].flatMap((name) => [
        `-m node -p ${name} -T ${iqn} --logout -I default`,
        `-m node -p ${name} -T ${iqn} -o delete -I default`,
      ]),
    ]);
    expect([await exists(path), await node.sessions()]).toEqual([false, []]);
    await parts().unmountDevice(path, node.signal);
    expect(node.commands).toHaveLength(5);
  });

  it('goes on after a crash between logging out and removing the folder', async () => {
    const path = await mountFor(node.spec());
    Object.assign(node.failures, { '--logout': 21, '-o delete -I': 21, 'dm-0': 1 });
    await node.addMultipath('dm-0', 'sd00');
    await parts().unmountDevice(path, node.signal);
    expect(await exists(path)).toBe(false);
  });

  it('keeps the folder while it cannot log out', async () => {
    const path = await mountFor(node.spec());
    node.failures['--logout'] = 7;
    await expect(parts().unmountDevice(path, node.signal)).rejects.toThrow(
      `iscsi: failed to detach disk: ${path}\nError: failed to finish detachISCSIDisk, err: exit status 7`,
    );
    expect(await exists(join(path, 'iscsi.json'))).toBe(true);
  });

  it('knows from the name of the folder what an old kubelet did not keep', async () => {
    const path = await mountFor(node.spec());
    await writeFile(join(path, 'iscsi.json'), 'broken');
    await parts().unmountDevice(path, node.signal);
    expect(await node.sessions()).toEqual([]);
  });

  it('keeps a session that another volume uses, mounted or block', async () => {
    node.luns = ['0', '1'];
    const plugin = node.plugin();
    const path = await mountFor(node.spec(), plugin);
    await attach(block(node.spec(), 1), plugin);
    const { tearDownDevice, globalMapPath } = parts(plugin).newMapper(block(node.spec(), 1));
    await parts(plugin).unmountDevice(path, node.signal);
    expect(await node.sessions()).toEqual([portal]);
    await tearDownDevice?.('/dev/sda', node.signal);
    expect([await node.sessions(), await exists(globalMapPath)]).toEqual([[], false]);
    await tearDownDevice?.('/dev/sda', node.signal);
  });

  it('logs out when two volumes of a session end at the same time', async () => {
    node.luns = ['0', '1'];
    const plugin = node.plugin();
    const paths = [await mountFor(node.spec(), plugin), await mountFor(node.spec({ lun: 1 }), plugin)];
    await Promise.all(paths.map((path) => parts(plugin).unmountDevice(path, node.signal)));
    expect(await node.sessions()).toEqual([]);
  });

  it('is rebuilt from the mount table', async () => {
    const plugin = node.plugin();
    const spec = node.spec({ initiatorName: 'iqn.me', lun: 0 });
    const path = await mountFor(spec, plugin);
    await plugin.newMounter(spec).setUp(node.signal);
    const rebuilt = await plugin.reconstruct?.(node.podDir, 'data', 'Filesystem');
    const iscsi = { targetPortal: portal, iqn, lun: 0, iscsiInterface: `${portal}:data` };
    expect(rebuilt).toEqual({ volume: { name: 'data', iscsi }, seLinuxLabel: undefined });
    expect(await parts(plugin).deviceMountPath({ ...spec, ...rebuilt })).toBe(path);
    await plugin.tearDown(node.podDir, 'data', node.signal);
    await mkdir(join(node.podDir, 'volumes/kubernetes.io~iscsi/data'), { recursive: true });
    await expect(plugin.reconstruct?.(node.podDir, 'data', 'Filesystem')).rejects.toThrow(
      "couldn't fetch globalPDPath. failed to obtain volume spec",
    );
  });

  it('is rebuilt from the folder in which the pod has its device', async () => {
    const link = join(node.podDir, 'volumeDevices/kubernetes.io~iscsi/pv-0');
    await mkdir(join(link, '..'), { recursive: true });
    await mkdir(folder('volumeDevices'), { recursive: true });
    await symlink('/dev/null', link);
    await symlink('/dev/null', join(folder('volumeDevices'), 'uid-1'));
    const rebuilt = await node.plugin().reconstruct?.(node.podDir, 'pv-0', 'Block');
    expect(rebuilt?.persistentVolume).toEqual({
      metadata: { name: 'pv-0' },
      spec: { volumeMode: 'Block', iscsi: { targetPortal: portal, iqn, lun: 0, iscsiInterface: 'default' } },
    });
    await rm(link);
    await expect(node.plugin().reconstruct?.(node.podDir, 'pv-0', 'Block')).rejects.toThrow('no device of the pod');
  });
});
