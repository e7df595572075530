import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { VolumeCapability_AccessMode_Mode as modes } from '@podwright/volume-csi-interface';
import { uncertainProgress, volumeFailure, type BlockVolumeMapper, type VolumeSpec } from '@podwright/volume-interface';
import { CsiHarness, never, withObjects } from '../fixtures/csi-harness.js';
import { attachmentNameOf } from '../mount/attachment.js';

const base = 'plugins/kubernetes.io/csi/volumeDevices';
const name = attachmentNameOf({ handle: 'vol-1', driver: 'disks.example.com', nodeName: 'node-1' });
const failed = (code: KubeletError['code']): KubeletError => new KubeletError(`it is ${code}`, { code });

describe('a CSI volume as a block device', () => {
  let csi: CsiHarness;
  beforeEach(async () => {
    csi = await CsiHarness.create();
    csi.csiDriver = { podInfoOnMount: true, tokenRequests: [{ audience: 'a' }] };
    withObjects(csi, {
      [`volumeattachments ${name}`]: { status: { attached: true, attachmentMetadata: { lun: '3' } } },
      'secrets s/stage': { data: { a: '' } },
      'secrets s/publish': { data: { b: '' } },
    });
  });
  const mapper = (spec: VolumeSpec = claimed()): Required<BlockVolumeMapper> =>
    csi.plugin().block?.newMapper(spec) as Required<BlockVolumeMapper>;
  const claimed = (): VolumeSpec =>
    csi.claimed(
      {
        fsType: 'ignored',
        volumeAttributes: { pool: 'p' },
        nodeStageSecretRef: { namespace: 's', name: 'stage' },
        nodePublishSecretRef: { namespace: 's', name: 'publish' },
      },
      { mountOptions: ['ignored'], volumeMode: 'Block' },
    );
  const at = (path: string): string => join(csi.rootDir, base, path);
  const capability = { block: {}, accessMode: { mode: modes.SINGLE_NODE_WRITER } };

  it('is staged for the node and published for the pod', async () => {
    expect(mapper().globalMapPath).toBe(at('pv-1/dev'));
    expect(await mapper().setUpDevice(never)).toBe(at('staging/pv-1'));
    expect(csi.driver.requestOf('nodeStageVolume')).toEqual({
      volumeId: 'vol-1',
      stagingTargetPath: at('staging/pv-1'),
      publishContext: { lun: '3' },
      secrets: { a: '' },
      volumeContext: { pool: 'p' },
      volumeCapability: capability,
    });
    expect(await mapper().mapPodDevice(never)).toBe(at('publish/pv-1/uid-1'));
    expect(csi.driver.requestOf('nodePublishVolume')).toEqual({
      volumeId: 'vol-1',
      stagingTargetPath: at('staging/pv-1'),
      targetPath: at('publish/pv-1/uid-1'),
      publishContext: { lun: '3' },
      secrets: { b: '' },
      readonly: false,
      volumeCapability: capability,
      volumeContext: {
        pool: 'p',
        'csi.storage.k8s.io/pod.name': 'web',
        'csi.storage.k8s.io/pod.namespace': 'ns',
        'csi.storage.k8s.io/pod.uid': 'uid-1',
        'csi.storage.k8s.io/serviceAccount.name': 'sa',
        'csi.storage.k8s.io/ephemeral': 'false',
      },
    });
    expect(await readFile(at('pv-1/data/vol_data.json'), 'utf8')).toBe(
      `{"attachmentID":"${name}","driverName":"disks.example.com","nodeName":"node-1","specVolID":"pv-1",` +
        '"volumeHandle":"vol-1"}\n',
    );
  });

  it('is unpublished and unstaged, and nothing is left', async () => {
    await mapper().setUpDevice(never);
    await mapper().mapPodDevice(never);
    await mapper().unmapPodDevice(never);
    expect(csi.driver.requestOf('nodeUnpublishVolume')).toEqual({
      volumeId: 'vol-1',
      targetPath: at('publish/pv-1/uid-1'),
    });
    await writeFile(at('staging/pv-1/device'), '');
    await mapper().tearDownDevice('', never);
    expect(csi.driver.requestOf('nodeUnstageVolume')).toEqual({
      volumeId: 'vol-1',
      stagingTargetPath: at('staging/pv-1'),
    });
    expect(await csi.tree(base)).toEqual(['publish', 'staging']);
    await mapper().unmapPodDevice(never);
    await mapper().tearDownDevice('', never);
    expect(csi.driver.called.slice(-2)).toEqual(['nodeUnstageVolume', 'nodeUnpublishVolume']);
  });

  it('has no staging path with a driver that cannot stage, but the driver gets one', async () => {
    csi.driver.capabilities.clear();
    expect(await mapper().setUpDevice(never)).toBe('');
    await mapper().mapPodDevice(never);
    expect(csi.driver.called).toEqual(['nodePublishVolume']);
    expect(csi.driver.requestOf('nodePublishVolume')).toMatchObject({ stagingTargetPath: at('staging/pv-1') });
  });

  it('has an empty context without an attachment, and none is asked for where none is needed', async () => {
    csi.csiDriver = { attachRequired: false };
    await mapper().setUpDevice(never);
    expect(csi.driver.requestOf('nodeStageVolume')).toMatchObject({ publishContext: {} });
    csi.csiDriver = {};
    csi.objects.delete(`volumeattachments ${name}`);
    const error = await mapper()
      .setUpDevice(never)
      .catch((thrown: unknown) => thrown);
    expect([volumeFailure(error), (error as Error).message]).toEqual([
      'transient',
      `kubernetes.io/csi: blockMapper.SetupDevice failed to get volume attachment [id=${name}]: ` +
        `volumeattachments "${name}" not found`,
    ]);
  });

  it('is not begun without its secrets', async () => {
    csi.objects.delete('secrets s/stage');
    csi.objects.delete('secrets s/publish');
    const missing = (secret: string): string =>
      `kubernetes.io/csi: failed to find the secret ${secret} in the namespace s with error: secrets "${secret}" not found`;
    await expect(mapper().setUpDevice(never)).rejects.toThrow(
      `kubernetes.io/csi: failed to get NodeStageSecretRef s/stage: ${missing('stage')}`,
    );
    await expect(mapper().mapPodDevice(never)).rejects.toThrow(
      'kubernetes.io/csi: blockMapper.publishVolumeForBlock failed to get NodePublishSecretRef s/publish: ' +
        missing('publish'),
    );
  });

  it('is not begun where its folders cannot be made', async () => {
    await mkdir(at('pv-1/data'), { recursive: true });
    await writeFile(at('staging'), '');
    await writeFile(at('publish'), '');
    await expect(mapper().setUpDevice(never)).rejects.toThrow(
      `kubernetes.io/csi: blockMapper.stageVolumeForBlock failed to create dir ${at('staging/pv-1')}: ` +
        `mkdir ${at('staging')}: not a directory`,
    );
    await expect(mapper().mapPodDevice(never)).rejects.toThrow(
      `kubernetes.io/csi: blockMapper.publishVolumeForBlock failed to create dir ${at('publish/pv-1')}:  ` +
        `mkdir ${at('publish')}: not a directory`,
    );
    await rm(at('pv-1'), { recursive: true });
    await writeFile(at('pv-1'), '');
    await expect(mapper().setUpDevice(never)).rejects.toThrow(
      `kubernetes.io/csi: failed to create data dir ${at('pv-1/data')}:  mkdir ${at('pv-1')}: not a directory`,
    );
  });

  it.each<[string, KubeletError, boolean]>([
    ['final', failed('internal'), false],
    ['uncertain', uncertainProgress(failed('aborted')), true],
  ])('after a %s error of staging keeps its files: %s', async (kind, error, keeps) => {
    csi.driver.before = (call) => {
      if (call === 'nodeStageVolume') throw error;
    };
    const thrown = await mapper()
      .setUpDevice(never)
      .catch((caught: unknown) => caught);
    expect(volumeFailure(thrown)).toBe(kind);
    expect((await csi.tree(base)).includes('pv-1/data/vol_data.json')).toBe(keeps);
    expect((await csi.tree(base)).includes('staging/pv-1')).toBe(keeps);
  });

  it.each<[string, (map: Required<BlockVolumeMapper>) => Promise<unknown>, string]>([
    ['nodeStageVolume', (map) => map.setUpDevice(never), 'it is aborted'],
    ['nodePublishVolume', (map) => map.mapPodDevice(never), 'it is aborted'],
    [
      'nodeUnpublishVolume',
      (map) => map.unmapPodDevice(never),
      'kubernetes.io/csi: blockMapper.unpublishVolumeForBlock failed: it is aborted',
    ],
    [
      'nodeUnstageVolume',
      (map) => map.tearDownDevice('', never),
      'kubernetes.io/csi: blockMapper.unstageVolumeForBlock failed: it is aborted',
    ],
  ])('of a kubelet that is killed after %s is set up and taken down by the next', async (call, step, message) => {
    await mapper().setUpDevice(never);
    await mapper().mapPodDevice(never);
    csi.driver.after = (made) => {
      if (made === call) throw failed('aborted');
    };
    await expect(step(mapper())).rejects.toThrow(message);
    csi.driver.after = () => undefined;
    for (const again of [true, false]) {
      if (again) {
        await mapper().setUpDevice(never);
        await mapper().mapPodDevice(never);
      }
      await mapper().unmapPodDevice(never);
      await mapper().tearDownDevice('', never);
      expect(await csi.tree(base)).toEqual(['publish', 'staging']);
      expect(csi.mounts.table).toHaveLength(1);
    }
  });

  it.each(['nodeStageVolume', 'nodePublishVolume'] as const)(
    'is taken down when the driver has done its work and calls %s a failure',
    async (call) => {
      csi.driver.after = async (made) => {
        if (made !== call) return;
        const file = made === 'nodeStageVolume' ? 'staging/pv-1/device' : 'publish/pv-1/uid-1';
        await writeFile(at(file), '');
        throw failed('internal');
      };
      const error = await (async () => {
        await mapper().setUpDevice(never);
        await mapper().mapPodDevice(never);
      })().catch((thrown: unknown) => thrown);
      expect([volumeFailure(error), (error as Error).message]).toEqual(['uncertain', 'it is internal']);
    },
  );

  it('only logs what it cannot remove at the end', async () => {
    await mapper().setUpDevice(never);
    await mkdir(at('publish/pv-1/other'), { recursive: true });
    await mapper().tearDownDevice('', never);
    expect(csi.logger.entries.map(({ message }) => message).join()).toContain(
      `Failed to clean up block volume directory kubernetes.io/csi: failed to remove publish directory`,
    );
  });

  it('is rebuilt from its data file', async () => {
    await mapper().setUpDevice(never);
    const found = await csi.plugin().reconstruct?.(csi.podDir, 'pv-1', 'Block');
    expect(found).toEqual({
      volume: { name: 'pv-1' },
      persistentVolume: {
        metadata: { name: 'pv-1' },
        spec: { csi: { driver: 'disks.example.com', volumeHandle: 'vol-1' }, volumeMode: 'Block' },
      },
    });
    await expect(csi.plugin().reconstruct?.(csi.podDir, 'pv-2', 'Block')).rejects.toThrow(
      'kubernetes.io/csi: plugin.ConstructBlockVolumeSpec failed loading volume data using',
    );
  });

  it('is no device of the node when its folders are half removed, and the rest goes at the start', async () => {
    await mapper().setUpDevice(never);
    await mkdir(at('publish/pv-1'), { recursive: true });
    await mkdir(at('pv-1/dev'));
    expect(await csi.plugin().findDevices?.()).toMatchObject([{ path: at('pv-1/dev'), mode: 'Block' }]);
    await rm(at('pv-1/data/vol_data.json'));
    expect(await csi.plugin().findDevices?.()).toEqual([]);
    expect(await csi.tree(base)).toEqual(['publish', 'staging']);
  });

  it('stays, and is logged, when something is staged without a data file', async () => {
    await mapper().setUpDevice(never);
    await writeFile(at('staging/pv-1/device'), '');
    await rm(at('pv-1/data'), { recursive: true });
    expect(await csi.plugin().findDevices?.()).toEqual([]);
    expect(await csi.tree(base)).toContain('pv-1');
    expect(csi.logger.entries).toMatchObject([{ severity: 'error', fields: { folder: at('pv-1') } }]);
  });

  it('is never an inline volume', () => {
    expect(() => mapper(csi.inline())).toThrow('kubernetes.io/csi: volume source not found in volume.Spec');
  });
});
