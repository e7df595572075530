import { access, mkdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { messageOf } from '@podwright/errors';
import { transientFailure, volumeFailure } from '@podwright/volume-interface';
import { MappingHarness } from './fixtures/mapping-harness.js';

describe('BlockMappings', () => {
  let harness: MappingHarness;
  beforeEach(async () => {
    harness = await MappingHarness.create();
  });
  afterEach(() => harness.close());

  const map = (changed: Parameters<MappingHarness['request']>[0] = {}): ReturnType<typeof harness.mappings.map> =>
    harness.mappings.map(harness.request(changed), harness.signal);
  const unmap = (): Promise<void> => harness.mappings.unmap({ ...harness.request(), podUid: 'uid-1' }, harness.signal);
  const tearDown = (devicePath = '/dev/null'): Promise<void> =>
    harness.mappings.tearDownDevice({ mapper: harness.mapper(), specName: 'pv-1', devicePath }, harness.signal);
  const failure = async (work: Promise<unknown>): Promise<readonly [string, string]> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return [harness.short(messageOf(error)), volumeFailure(error)];
  };
  const link = '/volumeDevices/kubernetes.io~local-volume/pv-1';

  it('maps a device: plugin, record, bind mount, link, loop device', async () => {
    const mapped = await map();
    expect(mapped).toEqual({ devicePath: '/dev/null', podLink: join(harness.podDir, link) });
    expect(harness.calls).toEqual([
      'mapPodDevice',
      'device /dev/null',
      'mount bind /dev/null /global/uid-1',
      'attach /global/uid-1',
    ]);
    expect(await readlink(mapped.podLink)).toBe('/dev/null');
    const what = 'Pod Normal SuccessfulMountVolume MapVolume.MapPodDevice succeeded for volume "pv-1"';
    expect(harness.said).toEqual([
      `${what} globalMapPath "/global"`,
      `${what} volumeMapPath "/pod/volumeDevices/kubernetes.io~local-volume"`,
    ]);
  });

  it('takes the device from attaching when the plugin names none, and resolves its links', async () => {
    await symlink('/dev/null', join(harness.dir, 'by-id'));
    const mapper = harness.mapper({ mapPodDevice: () => Promise.resolve('') });
    const devicePath = join(harness.dir, 'by-id');
    expect(await map({ mapper, devicePath })).toMatchObject({ devicePath: '/dev/null' });
    expect(await map({ mapper: { globalMapPath: harness.globalMapPath }, devicePath })).toMatchObject({
      devicePath: '/dev/null',
    });
  });

  it('maps again what an earlier kubelet has begun, and replaces the link of an earlier boot', async () => {
    await mkdir(harness.globalMapPath, { recursive: true });
    await writeFile(join(harness.globalMapPath, 'uid-1'), '');
    await map();
    const { podLink } = await map({ mapper: harness.mapper({ mapPodDevice: () => Promise.resolve('/dev/zero') }) });
    expect(await readlink(podLink)).toBe('/dev/zero');
    expect(harness.calls.filter((call) => call.startsWith('mount'))).toHaveLength(1);
  });

  it('keeps what the plugin says about its own failure; later failures are uncertain', async () => {
    const ofPlugin = 'MapVolume.MapPodDevice failed for volume "pv-1" : busy';
    harness.faults.set('mapPodDevice', new Error('busy'));
    expect(await failure(map())).toEqual([ofPlugin, 'final']);
    harness.faults.set('mapPodDevice', transientFailure(new Error('busy')));
    expect(await failure(map())).toEqual([ofPlugin, 'transient']);
    expect(harness.calls).toEqual(['mapPodDevice', 'mapPodDevice']);
    harness.faults.clear();

    harness.faults.set('mount', new Error('no mount'));
    expect(await failure(map())).toEqual([
      'MapVolume.MapBlockVolume failed for volume "pv-1" : blkUtil.MapDevice failed. devicePath: /dev/null, ' +
        'globalMapPath:/global, podUID: uid-1, bindMount: true: failed to bind mount devicePath: /dev/null to ' +
        'linkPath /global/uid-1: no mount',
      'uncertain',
    ]);
    harness.faults.clear();
    harness.faults.set('attach', new Error('no loop'));
    expect(await failure(map())).toEqual([
      'MapVolume.MapBlockVolume failed for volume "pv-1" : blkUtil.AttachFileDevice failed. globalMapPath:/global, ' +
        'podUID: uid-1: no loop',
      'uncertain',
    ]);
    expect(harness.said).toEqual([]);
  });

  it('refuses a volume without a device, and a device that is not there', async () => {
    const mapper = harness.mapper({ mapPodDevice: () => Promise.resolve('') });
    expect(await failure(map({ mapper }))).toEqual([
      'MapVolume failed for volume "pv-1" : device path of the volume is empty',
      'uncertain',
    ]);
    const [message] = await failure(map({ mapper, devicePath: join(harness.dir, 'gone/below') }));
    expect(message).toBe(
      'MapVolume.EvalHostSymlinks failed for volume "pv-1" : lstat /gone: no such file or directory',
    );
    const [belowFile] = await failure(map({ mapper, devicePath: '/proc/version/x' }));
    expect(belowFile).toBe('MapVolume.EvalHostSymlinks failed for volume "pv-1" : not a directory');
  });

  it('unmaps in the opposite order, and once more without harm', async () => {
    const { podLink } = await map();
    harness.calls.length = 0;
    await unmap();
    expect(harness.calls).toEqual(['detach /dev/loop7', 'unmount /global/uid-1', 'unmapPodDevice']);
    await expect(readlink(podLink)).rejects.toThrow('ENOENT');
    await expect(access(join(harness.globalMapPath, 'uid-1'))).rejects.toThrow('ENOENT');
    harness.calls.length = 0;
    await unmap();
    expect(harness.calls).toEqual(['unmapPodDevice']);
  });

  it('unmaps what was never mapped whole', async () => {
    await mkdir(harness.globalMapPath, { recursive: true });
    await writeFile(join(harness.globalMapPath, 'uid-1'), '');
    await unmap();
    await expect(access(join(harness.globalMapPath, 'uid-1'))).rejects.toThrow('ENOENT');
    expect(harness.calls).toEqual(['unmapPodDevice']);
  });

  it('says which part of unmapping failed, does not go on to the next, and keeps the link to the end', async () => {
    const { podLink } = await map();
    harness.calls.length = 0;
    harness.faults.set('unmount', new Error('busy'));
    expect(await failure(unmap())).toEqual([
      'UnmapVolume.UnmapBlockVolume failed for volume "pv-1" : blkUtil.DetachFileDevice failed. ' +
        'globalUnmapPath:/global, podUID: uid-1, bindMount: true: failed to unmount linkPath /global/uid-1: busy',
      'final',
    ]);
    expect(harness.calls).not.toContain('unmapPodDevice');
    harness.faults.clear();
    harness.faults.set('unmapPodDevice', new Error('no driver'));
    expect(await failure(unmap())).toEqual([
      'UnmapVolume.UnmapPodDevice failed for volume "pv-1" : no driver',
      'final',
    ]);
    expect(await readlink(podLink)).toBe('/dev/null');
  });

  it('sets up the device of the node only where the plugin does that', async () => {
    const setUp = (changed: object): Promise<string> =>
      harness.mappings.setUpDevice({ mapper: harness.mapper(changed), specName: 'pv-1' }, harness.signal);
    expect(await setUp({})).toBe('');
    expect(await setUp({ setUpDevice: () => Promise.resolve('/staging') })).toBe('/staging');
    const refused = transientFailure(new Error('not attached'));
    expect(await failure(setUp({ setUpDevice: () => Promise.reject(refused) }))).toEqual([
      'MapVolume.SetUpDevice failed for volume "pv-1" : not attached',
      'transient',
    ]);
  });

  it('keeps the device of the node while a pod has it', async () => {
    await map();
    await writeFile(join(harness.globalMapPath, 'no-device'), '');
    expect(await harness.mappings.references(harness.globalMapPath)).toEqual([join(harness.globalMapPath, 'uid-1')]);
    harness.calls.length = 0;
    expect(await failure(tearDown())).toEqual([
      'UnmapDevice failed for volume "pv-1" : the device "/global" is still referenced from other Pods [/global/uid-1]',
      'final',
    ]);
    expect(harness.calls).toEqual([]);
    await unmap();
    await tearDown();
    expect(harness.calls.at(-1)).toBe('tearDownDevice /dev/null');
    await expect(access(harness.globalMapPath)).rejects.toThrow('ENOENT');
  });

  it('tears down a device that was never set up whole', async () => {
    await tearDown(join(harness.dir, 'gone'));
    await tearDown('');
    expect(await harness.mappings.references(harness.globalMapPath)).toEqual([]);
  });
});
