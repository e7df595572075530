import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { volumeFailure } from '@podwright/volume-interface';
import { CsiHarness, never } from '../fixtures/csi-harness.js';

describe('taking a CSI volume down', () => {
  let csi: CsiHarness;
  let target = '';
  beforeEach(async () => {
    csi = await CsiHarness.create();
    csi.csiDriver = { attachRequired: false, fsGroupPolicy: 'File', volumeLifecycleModes: ['Persistent'] };
    const mounter = csi.plugin().newMounter(csi.claimed());
    target = mounter.hostPath;
    await mounter.setUp(never);
  });
  const tearDown = (): Promise<void> => csi.plugin().tearDown(csi.podDir, 'pv-1', never);

  it('asks the driver of the data file, and removes the folder', async () => {
    await tearDown();
    expect(csi.driver.requestOf('nodeUnpublishVolume')).toEqual({ volumeId: 'vol-1', targetPath: target });
    expect(await csi.tree('pods/uid-1/volumes')).toEqual(['kubernetes.io~csi']);
  });

  it('waits for a driver that is not there', async () => {
    csi.registered = false;
    const error = await tearDown().catch((thrown: unknown) => thrown);
    expect([volumeFailure(error), (error as Error).message]).toEqual([
      'transient',
      'kubernetes.io/csi: Unmounter.TearDownAt failed to get CSI client: ' +
        'driver name disks.example.com not found in the list of registered CSI drivers',
    ]);
  });

  it('keeps everything when the driver refuses', async () => {
    csi.driver.before = () => Promise.reject(new KubeletError('busy', { code: 'internal' }));
    await expect(tearDown()).rejects.toThrow('kubernetes.io/csi: Unmounter.TearDownAt failed: busy');
    expect(await csi.tree('pods/uid-1/volumes/kubernetes.io~csi')).toContain('pv-1/vol_data.json');
  });

  it('does not believe a driver that leaves the target mounted', async () => {
    csi.driver.after = async () => {
      await csi.mounts.mount({ source: '/dev/disk', target, fsType: 'ext4' });
      await mkdir(target, { recursive: true });
    };
    await expect(tearDown()).rejects.toThrow(
      `kubernetes.io/csi: Unmounter.TearDownAt failed to clean mount dir [${target}]: ${target} is still mounted`,
    );
    csi.driver.after = () => undefined;
    await tearDown();
  });

  it('removes no files of a target that is not mounted', async () => {
    csi.driver.after = async () => {
      await mkdir(target, { recursive: true });
      await writeFile(join(target, 'file'), '');
    };
    await expect(tearDown()).rejects.toThrow(`kubernetes.io/csi: failed to remove dir [${target}]: ENOTEMPTY`);
  });

  it('refuses what is mounted without a data file, and was staged nowhere', async () => {
    const file = join(dirname(target), 'vol_data.json');
    await rm(file);
    await expect(tearDown()).rejects.toThrow(
      `kubernetes.io/csi: unmounter failed to load volume data file [${target}]: kubernetes.io/csi: ` +
        `failed to open volume data file [${file}]: open ${file}: no such file or directory`,
    );
    await writeFile(file, '{');
    await expect(tearDown()).rejects.toThrow(`failed to parse volume data file [${file}]`);
    expect(csi.driver.called).not.toContain('nodeUnpublishVolume');
  });

  it.each(['{', '', '{"driverName":"other","volumeHandle":"vol-2","specVolID":"pv-2"}'])(
    'removes a data file that says %j where nothing is mounted, and says so',
    async (content) => {
      await csi.mounts.unmount(target);
      await writeFile(join(dirname(target), 'vol_data.json'), content);
      await tearDown();
      expect(csi.driver.called).not.toContain('nodeUnpublishVolume');
      expect(await csi.tree('pods/uid-1/volumes')).toEqual(['kubernetes.io~csi']);
      expect(csi.logger.entries.map(({ message }) => message)).toContain(
        'kubernetes.io/csi: removing a volume data file that is broken, nothing is mounted beside it',
      );
    },
  );

  it.each([undefined, '{', '{"driverName":"other","volumeHandle":"vol-2","specVolID":"pv-2"}'])(
    'knows what is mounted by its staging when the data file says %j',
    async (content) => {
      const { deviceMountable } = csi.plugin();
      const staging = await deviceMountable!.deviceMountPath(csi.claimed());
      await deviceMountable!.mountDevice(csi.claimed(), staging, { devicePath: '', reconstructed: false }, never);
      const file = join(dirname(target), 'vol_data.json');
      await (content === undefined ? rm(file) : writeFile(file, content));
      await tearDown();
      expect(csi.driver.requestOf('nodeUnpublishVolume')).toEqual({ volumeId: 'vol-1', targetPath: target });
      expect(await csi.tree('pods/uid-1/volumes')).toEqual(['kubernetes.io~csi']);
    },
  );
});
