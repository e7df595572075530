import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { VolumePlugin, VolumeSpec } from '@podwright/volume-interface';
import { CsiHarness, never } from '../fixtures/csi-harness.js';
import { saveVolumeData } from './volume-data.js';

// A kill is a call that never settles: nothing runs after it. The next kubelet has a new plugin, the driver lives on.
const killed = new Promise<never>(() => undefined);
const calls = ['nodeStageVolume', 'nodeUnstageVolume', 'nodePublishVolume', 'nodeUnpublishVolume'] as const;
const usual = { attachRequired: false, fsGroupPolicy: 'File', volumeLifecycleModes: ['Persistent', 'Ephemeral'] };

interface Volume {
  readonly csi: CsiHarness;
  readonly spec: VolumeSpec;
}

async function mount(plugin: VolumePlugin, { spec }: Volume): Promise<void> {
  if (spec.persistentVolume !== undefined) {
    const path = (await plugin.deviceMountable?.deviceMountPath(spec)) ?? '';
    await plugin.deviceMountable?.mountDevice(spec, path, { devicePath: '' }, never);
  }
  await plugin.newMounter(spec).setUp(never);
}

/** As the volume manager does it after a restart: by what is on disk, device last. */
async function unmount(plugin: VolumePlugin, { spec }: Volume): Promise<void> {
  const name = spec.persistentVolume?.metadata?.name ?? spec.volume.name;
  await plugin.tearDown(spec.podDir, name, never);
  if (spec.persistentVolume === undefined) return;
  const path = (await plugin.deviceMountable?.deviceMountPath(spec)) ?? '';
  await plugin.deviceMountable?.unmountDevice(path, never);
}

async function create(kind: 'claimed' | 'inline'): Promise<Volume> {
  const csi = await CsiHarness.create();
  csi.csiDriver = usual;
  return { csi, spec: csi[kind]() };
}

/** Nothing of the volume is left: neither mounts, nor files, nor folders with its name. */
async function expectGone({ csi }: Volume): Promise<void> {
  expect(csi.mounts.table.map(({ mountPoint }) => mountPoint)).toEqual(['/']);
  const left = await csi.tree();
  expect(left.filter((path) => /globalmount|vol_data|kubernetes\.io~csi\/./.test(path))).toEqual([]);
}

/** Runs `work` until it has settled or the kubelet was killed. */
async function until(died: Promise<void>, work: Promise<void>): Promise<'killed' | 'settled'> {
  return Promise.race([died.then(() => 'killed' as const), work.then(() => 'settled' as const)]);
}

describe.each(['claimed', 'inline'] as const)('a kubelet that is killed with a CSI volume (%s)', (kind) => {
  const moments = calls
    .filter((call) => kind === 'claimed' || call.includes('ublish'))
    .flatMap((call) => [['before', call] as const, ['after', call] as const]);

  it.each(moments)('%s %s can go on, and can undo', async (moment, call) => {
    for (const next of [mount, unmount]) {
      const volume = await create(kind);
      const { csi } = volume;
      const isMounting = call === 'nodeStageVolume' || call === 'nodePublishVolume';
      if (!isMounting) await mount(csi.plugin(), volume);
      const died = new Promise<void>((resolve) => {
        csi.driver[moment] = (made) => {
          if (made !== call) return undefined;
          resolve();
          return killed;
        };
      });
      const work = isMounting ? mount(csi.plugin(), volume) : unmount(csi.plugin(), volume);
      expect(await until(died, work)).toBe('killed');
      csi.driver[moment] = () => undefined;
      await next(csi.plugin(), volume);
      if (next === mount) await unmount(csi.plugin(), volume);
      await expectGone(volume);
    }
  });

  // What a kill between two changes of the disk leaves.
  const data = { volumeHandle: 'vol-1', driverName: 'disks.example.com' };
  it.each<[string, (target: string) => Promise<unknown>]>([
    ['nothing', async () => undefined],
    ['an empty folder', (target) => mkdir(dirname(target), { recursive: true })],
    ['an empty target', (target) => mkdir(target, { recursive: true })],
    [
      'half a data file beside nothing',
      async (target) => {
        await mkdir(target, { recursive: true });
        await writeFile(join(dirname(target), '.vol_data.json.new'), '{"dri');
      },
    ],
    ['a data file without a target', (target) => saveVolumeData(dirname(target), data)],
    [
      'a data file and an empty target',
      async (target) => {
        await mkdir(target, { recursive: true });
        await saveVolumeData(dirname(target), data);
      },
    ],
  ])('and has left %s can go on, and can undo', async (_what, leave) => {
    for (const next of [mount, unmount]) {
      const volume = await create(kind);
      const { csi, spec } = volume;
      await leave(csi.plugin().newMounter(spec).hostPath);
      if (kind === 'claimed') await leave((await csi.plugin().deviceMountable?.deviceMountPath(spec)) ?? '');
      await next(csi.plugin(), volume);
      if (next === mount) await unmount(csi.plugin(), volume);
      await expectGone(volume);
    }
  });
});

describe('a CSI volume of a kubelet that was killed', () => {
  it.each(['claimed', 'inline'] as const)('is rebuilt from its data file and taken down (%s)', async (kind) => {
    const volume = await create(kind);
    const { csi, spec } = volume;
    await mount(csi.plugin(), volume);
    const plugin = csi.plugin();
    const name = spec.persistentVolume?.metadata?.name ?? spec.volume.name;
    const found = await plugin.reconstruct?.(spec.podDir, name, 'Filesystem');
    expect(found).toEqual(
      kind === 'inline'
        ? { volume: { name: 'data', csi: { driver: 'disks.example.com' } } }
        : {
            volume: { name: 'pv-1' },
            persistentVolume: {
              metadata: { name: 'pv-1' },
              spec: { csi: { driver: 'disks.example.com', volumeHandle: 'vol-1' }, volumeMode: 'Filesystem' },
            },
          },
    );
    const pod = { metadata: { uid: 'uid-1' }, spec: { containers: [] } };
    await unmount(plugin, { csi, spec: { ...spec, ...found, pod } });
    await expectGone(volume);
  });

  it('knows the label that it is mounted with', async () => {
    const { csi, spec } = await create('claimed');
    csi.csiDriver = { ...usual, seLinuxMount: true };
    await csi.plugin().newMounter(spec).setUp(never, { seLinuxLabel: 'u:r:t:s0' });
    const found = await csi.plugin().reconstruct?.(spec.podDir, 'pv-1', 'Filesystem');
    expect(found?.seLinuxLabel).toBe('u:r:t:s0');
  });

  it.each<[string, string | undefined, string]>([
    ['missing', undefined, 'failed to open volume data file'],
    ['broken', '{', 'failed to parse volume data file'],
    ['that of another volume', '{"driverName":"d","volumeHandle":"h","specVolID":"pv-2"}', 'of the volume pv-2'],
  ])('cannot be rebuilt when the data file is %s', async (_what, text, message) => {
    const { csi, spec } = await create('claimed');
    const folder = dirname(csi.plugin().newMounter(spec).hostPath);
    await mkdir(folder, { recursive: true });
    if (text !== undefined) await writeFile(join(folder, 'vol_data.json'), text);
    await expect(csi.plugin().reconstruct?.(spec.podDir, 'pv-1', 'Filesystem')).rejects.toThrow(message);
  });

  it('says of which folder it cannot tell what is staged there', async () => {
    const { csi, spec } = await create('claimed');
    const folder = dirname((await csi.plugin().deviceMountable?.deviceMountPath(spec)) ?? '');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'vol_data.json'), '{');
    expect(await csi.plugin().findDevices?.()).toEqual([]);
    expect(csi.logger.entries).toMatchObject([
      { message: expect.stringContaining('Cannot tell which volume is staged for the node'), fields: { folder } },
    ]);
  });

  it.each(['', 'globalmount'])('removes a folder without data file at the start (with "%s")', async (entry) => {
    const { csi, spec } = await create('claimed');
    const folder = dirname((await csi.plugin().deviceMountable?.deviceMountPath(spec)) ?? '');
    await mkdir(join(folder, entry), { recursive: true });
    await mkdir(join(dirname(folder), 'foreign/data'), { recursive: true });
    expect(await csi.plugin().findDevices?.()).toEqual([]);
    expect(await readdir(dirname(folder))).toEqual(['foreign']);
    expect(csi.logger.entries).toMatchObject([{ fields: { folder: join(dirname(folder), 'foreign') } }]);
  });

  it('says what to do about a volume that is staged without a data file, and leaves it', async () => {
    const volume = await create('claimed');
    const { csi, spec } = volume;
    await mount(csi.plugin(), volume);
    const path = (await csi.plugin().deviceMountable?.deviceMountPath(spec)) ?? '';
    await rm(join(dirname(path), 'vol_data.json'));
    expect(await csi.plugin().findDevices?.()).toEqual([]);
    expect(csi.mounts.table.map(({ mountPoint }) => mountPoint)).toContain(path);
    expect(csi.logger.entries).toMatchObject([
      {
        severity: 'error',
        message: expect.stringContaining('unmount the path'),
        fields: { folder: dirname(path), path },
      },
    ]);
  });
});
