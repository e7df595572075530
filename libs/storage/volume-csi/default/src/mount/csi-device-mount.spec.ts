import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { VolumeCapability_AccessMode_Mode as modes } from '@podwright/volume-csi-interface';
import { uncertainProgress, volumeFailure, type VolumeSpec } from '@podwright/volume-interface';
import { CsiHarness, never, withObjects } from '../fixtures/csi-harness.js';
import { attachmentNameOf } from './attachment.js';
import { sha256Hex } from './csi-source.js';

const failed = (code: KubeletError['code']): KubeletError => new KubeletError(`it is ${code}`, { code });

describe('a staged CSI volume', () => {
  let csi: CsiHarness;
  let path = '';
  beforeEach(async () => {
    csi = await CsiHarness.create();
    csi.csiDriver = { attachRequired: false };
    path = join(csi.rootDir, 'plugins/kubernetes.io/csi/disks.example.com', sha256Hex('vol-1'), 'globalmount');
  });
  const device = () => {
    const { deviceMountable } = csi.plugin();
    if (deviceMountable === undefined) throw new Error('it is not device-mountable');
    return deviceMountable;
  };
  const stage = (spec: VolumeSpec, options = {}): Promise<void> =>
    device().mountDevice(spec, path, { devicePath: '', ...options }, never);
  const left = (): Promise<readonly string[]> => csi.tree('plugins/kubernetes.io/csi/disks.example.com');

  it('is one of a PersistentVolume, at a path by its handle', async () => {
    expect([device().canDeviceMount(csi.claimed()), device().canDeviceMount(csi.inline())]).toEqual([true, false]);
    expect(await device().deviceMountPath(csi.claimed())).toBe(path);
    await expect(device().deviceMountPath(csi.claimed({ volumeHandle: '' }))).rejects.toThrow(
      'makeDeviceMountPath failed, CSIPersistentVolumeSource volume handle is empty',
    );
  });

  it('is staged with all that the driver needs, and its data file next to it', async () => {
    csi.csiDriver = { seLinuxMount: true };
    csi.driver.capabilities.add('VOLUME_MOUNT_GROUP').add('SINGLE_NODE_MULTI_WRITER');
    const name = attachmentNameOf({ handle: 'vol-1', driver: csi.driver.driver, nodeName: 'node-1' });
    withObjects(csi, {
      [`volumeattachments ${name}`]: { status: { attached: true, attachmentMetadata: { lun: '3' } } },
      'secrets s/login': { data: { user: Buffer.from('me').toString('base64') } },
    });
    const spec = csi.claimed(
      { fsType: 'xfs', volumeAttributes: { pool: 'a' }, nodeStageSecretRef: { namespace: 's', name: 'login' } },
      { mountOptions: ['noatime'] },
      csi.pod({ securityContext: { fsGroup: 7 } }),
    );
    await stage(spec, { seLinuxLabel: 'u:r:t:s0:c1,c2' });
    expect(csi.driver.requestOf('nodeStageVolume')).toEqual({
      volumeId: 'vol-1',
      stagingTargetPath: path,
      publishContext: { lun: '3' },
      secrets: { user: 'me' },
      volumeContext: { pool: 'a' },
      volumeCapability: {
        mount: { fsType: 'xfs', mountFlags: ['noatime', 'context="u:r:t:s0:c1,c2"'], volumeMountGroup: '7' },
        accessMode: { mode: modes.SINGLE_NODE_MULTI_WRITER },
      },
    });
    expect(await readFile(join(dirname(path), 'vol_data.json'), 'utf8')).toBe(
      '{"driverName":"disks.example.com","seLinuxMountContext":"u:r:t:s0:c1,c2","volumeHandle":"vol-1"}\n',
    );
  });

  it('is not staged, and leaves nothing, with a driver that cannot', async () => {
    csi.driver.capabilities.clear();
    await stage(csi.claimed());
    expect([csi.driver.called, await csi.tree()]).toEqual([[], ['pods', 'pods/uid-1']]);
    await device().unmountDevice(path, never);
    expect(csi.driver.called).toEqual([]);
  });

  it.each<[string, KubeletError, object, boolean]>([
    ['final', failed('internal'), {}, false],
    ['final', failed('internal'), { reconstructed: true }, true],
    ['uncertain', uncertainProgress(failed('aborted')), {}, true],
  ])('after a %s error (%s) with %j keeps its files: %s', async (kind, error, options, keeps) => {
    csi.driver.before = (call) => {
      if (call === 'nodeStageVolume') throw error;
    };
    const thrown = await stage(csi.claimed(), options).catch((caught: unknown) => caught);
    expect([volumeFailure(thrown), (thrown as Error).message]).toEqual([kind, error.message]);
    const sha = sha256Hex('vol-1');
    expect(await left()).toEqual(keeps ? [sha, `${sha}/globalmount`, `${sha}/vol_data.json`] : []);
  });

  it('is unstaged although the driver called staging a failure, when it is mounted nevertheless', async () => {
    csi.driver.after = (call) => {
      if (call === 'nodeStageVolume') throw failed('internal');
    };
    const error = await stage(csi.claimed()).catch((caught: unknown) => caught);
    expect([volumeFailure(error), (error as Error).message]).toEqual(['uncertain', 'it is internal']);
    expect(csi.logger.entries.map(({ message }) => message)).toContain(
      `kubernetes.io/csi: attacher.MountDevice failed, but the driver has mounted the volume at ${path}; it is unmounted later`,
    );
    await device().unmountDevice(path, never);
    expect(csi.driver.called.at(-1)).toBe('nodeUnstageVolume');
    expect(await left()).toEqual([]);
  });

  it.each<[string, (it: CsiHarness) => void, string]>([
    [
      'there is no driver',
      (it) => void (it.registered = false),
      'kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name disks.example.com ' +
        'not found in the list of registered CSI drivers',
    ],
    ['there is no attachment', (it) => void (it.csiDriver = {}), 'not found'],
    ['a secret is missing', () => undefined, 'fetching NodeStageSecretRef s/login failed: '],
  ])('is not begun when %s', async (_what, prepare, message) => {
    prepare(csi);
    const spec = csi.claimed({ nodeStageSecretRef: { namespace: 's', name: 'login' } });
    const error = await stage(spec).catch((caught: unknown) => caught);
    expect([volumeFailure(error), (error as Error).message]).toEqual(['transient', expect.stringContaining(message)]);
    expect(await csi.tree()).toEqual(['pods', 'pods/uid-1']);
  });

  it('is not begun where its folder cannot be made', async () => {
    await mkdir(dirname(dirname(path)), { recursive: true });
    await writeFile(dirname(path), '');
    await expect(stage(csi.claimed())).rejects.toThrow(
      `kubernetes.io/csi: attacher.MountDevice failed to create dir "${path}":  mkdir ${dirname(path)}: not a directory`,
    );
  });

  it('is unstaged by its path alone; the driver is asked anew whether it can', async () => {
    await stage(csi.claimed());
    await device().unmountDevice(path, never);
    expect(csi.driver.requestOf('nodeUnstageVolume')).toEqual({ volumeId: 'vol-1', stagingTargetPath: path });
    expect(await left()).toEqual([]);
    await device().unmountDevice(path, never);
    await stage(csi.claimed());
    csi.driver.capabilities.clear();
    await csi.mounts.unmount(path);
    await device().unmountDevice(path, never);
    expect(csi.driver.called.filter((call) => call === 'nodeUnstageVolume')).toHaveLength(1);
    expect(await left()).toEqual([]);
  });

  it('keeps its files while the driver fails, or leaves it mounted', async () => {
    await stage(csi.claimed());
    csi.driver.before = (call) => {
      if (call === 'nodeUnstageVolume') throw failed('internal');
    };
    await expect(device().unmountDevice(path, never)).rejects.toThrow(
      'kubernetes.io/csi: attacher.UnmountDevice failed: it is internal',
    );
    csi.driver.before = () => undefined;
    csi.driver.after = async () => csi.mounts.mount({ source: '/dev/disk', target: path, fsType: 'ext4' });
    await expect(device().unmountDevice(path, never)).rejects.toThrow(
      `kubernetes.io/csi: failed to clean up global mount ${dirname(path)}: ${path} is still mounted`,
    );
    expect(await left()).toContain(`${sha256Hex('vol-1')}/vol_data.json`);
  });
});
