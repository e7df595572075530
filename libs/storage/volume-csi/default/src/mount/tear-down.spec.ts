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

  it('refuses what is mounted without a data file, and a broken one', async () => {
    const file = join(dirname(target), 'vol_data.json');
    await rm(file);
    await expect(tearDown()).rejects.toThrow(
      `kubernetes.io/csi: unmounter failed to load volume data file [${target}]: kubernetes.io/csi: ` +
        `failed to open volume data file [${file}]: open ${file}: no such file or directory`,
    );
    await csi.mounts.unmount(target);
    await writeFile(file, '{');
    await expect(tearDown()).rejects.toThrow(`failed to parse volume data file [${file}]`);
  });
});
