import { join } from 'node:path';
import { messageOf } from '@podwright/errors';
import { exists, makeDirectory, removeOneFileSystem } from '@podwright/filesystem';
import {
  specName,
  uncertainProgress,
  volumeFailure,
  type BlockVolumeMapper,
  type VolumeSpec,
  type VolumeUsageSource,
} from '@podwright/volume-interface';
import { csiText } from '../csi-text.js';
import type { CsiClient } from '../client/csi-client.js';
import type { CsiOperation } from '../client/csi-operation.js';
import type { CsiVolumes } from '../csi-volumes.js';
import { attachmentNameOf } from '../mount/attachment.js';
import { csiSourceOf, persistentCsiOf, type CsiSource, type SecretName } from '../mount/csi-source.js';
import { csiStep, transientStep } from '../mount/csi-step.js';
import { makeFolder } from '../mount/make-folder.js';
import { podInfo } from '../mount/pod-context.js';
import { volumeCapability } from '../mount/volume-capability.js';
import { saveVolumeData } from '../mount/volume-data.js';
import { csiUsage } from '../usage/csi-usage.js';
import { blockPaths, removeBlockFolders, type BlockPaths } from './block-paths.js';

/**
 * Stages and publishes a PersistentVolume as a block device. Each step can be repeated after a kill. Source: kubernetes
 * v1.36 pkg/volume/csi/csi_block.go.
 */
export class CsiBlockMapper implements BlockVolumeMapper {
  readonly globalMapPath: string;
  readonly stagingPath: string;
  readonly usage: VolumeUsageSource;
  private readonly paths: BlockPaths;
  private readonly publishPath: string;
  private readonly source: CsiSource;

  /** Throws for a volume that the pod's spec describes itself: those have no block mode. */
  constructor(
    private readonly volumes: CsiVolumes,
    private readonly spec: VolumeSpec,
  ) {
    persistentCsiOf(spec);
    const podUid = spec.pod.metadata.uid ?? '';
    this.source = csiSourceOf(spec);
    this.paths = blockPaths(volumes.options.rootDir, specName(spec));
    this.globalMapPath = this.paths.globalMap;
    this.stagingPath = this.paths.staging;
    this.publishPath = join(this.paths.publishFolder, podUid);
    this.usage = csiUsage(volumes, { spec, source: this.source, path: join(this.globalMapPath, podUid) });
  }

  async setUpDevice(signal: AbortSignal): Promise<string> {
    return this.operation(signal, async (operation) => {
      const { source, paths } = this;
      const prepared = await transientStep(async () => {
        await this.saveData();
        const publishContext = await this.publishContext('SetupDevice', operation);
        const client = await this.client('blockMapper.SetUpDevice failed to get CSI client');
        const stages = await csiStep(
          csiText('blockMapper.stageVolumeForBlock failed to check STAGE_UNSTAGE_VOLUME capability'),
          () => client.supports('STAGE_UNSTAGE_VOLUME', operation),
        );
        if (!stages) return undefined;
        const secrets = await this.credentials('failed to get NodeStageSecretRef', source.stageSecret, operation);
        const capability = await volumeCapability(client, source, undefined, operation);
        await csiStep(csiText(`blockMapper.stageVolumeForBlock failed to create dir ${paths.staging}`), () =>
          makeDirectory(paths.staging, 0o750),
        );
        return { client, publishContext, secrets, capability };
      });
      if (prepared === undefined) return '';
      const { client, publishContext, secrets, capability } = prepared;
      try {
        await client.nodeStageVolume(
          {
            volumeId: source.handle,
            publishContext,
            stagingTargetPath: paths.staging,
            volumeCapability: capability,
            secrets,
            volumeContext: source.attributes,
          },
          operation,
        );
      } catch (error) {
        if (volumeFailure(error) === 'final') await this.removeFolders();
        throw await this.judge(error, paths.staging);
      }
      return paths.staging;
    });
  }

  async mapPodDevice(signal: AbortSignal): Promise<string> {
    return this.operation(signal, async (operation) => {
      const { source, paths, spec, volumes } = this;
      const { client, ...request } = await transientStep(async () => {
        await this.saveData();
        const publishContext = await this.publishContext('MapPodDevice', operation);
        const client = await this.client('blockMapper.MapPodDevice failed to get CSI client');
        const info = await csiStep(
          csiText('blockMapper.publishVolumeForBlock failed to assemble volume attributes'),
          () => (volumes.rules.podInfoOnMount(source.driver) ? podInfo(spec.pod, 'Persistent') : {}),
        );
        const secrets = await this.credentials(
          'blockMapper.publishVolumeForBlock failed to get NodePublishSecretRef',
          source.publishSecret,
          operation,
        );
        const capability = await volumeCapability(client, source, undefined, operation);
        const { publishFolder } = paths;
        await makeFolder(`blockMapper.publishVolumeForBlock failed to create dir ${publishFolder}`, publishFolder);
        return {
          client,
          publishContext,
          secrets,
          volumeCapability: capability,
          volumeContext: { ...source.attributes, ...info },
        };
      });
      const { publishPath: targetPath } = this;
      const target = { stagingTargetPath: paths.staging, targetPath, readonly: source.readOnly };
      try {
        await client.nodePublishVolume({ ...request, ...target, volumeId: source.handle }, operation);
      } catch (error) {
        throw await this.judge(error, targetPath);
      }
      return targetPath;
    });
  }

  /** Also where nothing is published: an earlier call may have run out of time and still be at work. */
  async unmapPodDevice(signal: AbortSignal): Promise<void> {
    await this.operation(signal, async (operation) => {
      const client = await this.client('blockMapper.UnmapPodDevice failed to get CSI client');
      await csiStep(csiText('blockMapper.unpublishVolumeForBlock failed'), () =>
        client.nodeUnpublishVolume({ volumeId: this.source.handle, targetPath: this.publishPath }, operation),
      );
    });
  }

  async tearDownDevice(_devicePath: string, signal: AbortSignal): Promise<void> {
    await this.operation(signal, async (operation) => {
      const client = await this.client('blockMapper.TearDownDevice failed to get CSI client');
      if (await exists(this.paths.staging)) await this.unstage(client, operation);
      await this.removeFolders();
    });
  }

  private async unstage(client: CsiClient, operation: CsiOperation): Promise<void> {
    const { staging } = this.paths;
    const stages = await csiStep(
      csiText('blockMapper.unstageVolumeForBlock failed to check STAGE_UNSTAGE_VOLUME capability'),
      () => client.supports('STAGE_UNSTAGE_VOLUME', operation),
    );
    if (!stages) return;
    await csiStep(csiText('blockMapper.unstageVolumeForBlock failed'), () =>
      client.nodeUnstageVolume({ volumeId: this.source.handle, stagingTargetPath: staging }, operation),
    );
    const what = 'blockMapper.unstageVolumeForBlock failed to remove staging path after NodeUnstageVolume() error';
    // The folder is all that says that the volume may be staged, so it goes last.
    await csiStep(csiText(`${what} [${staging}]`), () => removeOneFileSystem(staging));
  }

  /** Removes what belongs to no pod any more. As upstream, what cannot be removed is only logged. */
  private async removeFolders(): Promise<void> {
    try {
      await removeBlockFolders(this.paths);
    } catch (error) {
      this.volumes.deps.logger.warn(`Failed to clean up block volume directory ${messageOf(error)}`);
    }
  }

  /** The driver has made the path, or left something in it, in spite of its answer: then it must take that down. */
  private async judge(error: unknown, path: string): Promise<unknown> {
    return volumeFailure(error) === 'final' && (await exists(path)) ? uncertainProgress(error) : error;
  }

  private operation<T>(signal: AbortSignal, run: (operation: CsiOperation) => Promise<T>): Promise<T> {
    return this.volumes.operation(signal, run, this.spec);
  }

  private client(what: string): Promise<CsiClient> {
    return csiStep(csiText(what), () => this.volumes.client(this.source.driver));
  }

  private async publishContext(caller: string, { signal }: CsiOperation): Promise<Readonly<Record<string, string>>> {
    const name = attachmentNameOf(this.volumes.attached(this.source));
    const what = csiText(`blockMapper.${caller} failed to get volume attachment [id=${name}]`);
    return (await csiStep(what, () => this.volumes.publishContext(this.source, signal))) ?? {};
  }

  private credentials(
    what: string,
    secret: SecretName | undefined,
    { signal }: CsiOperation,
  ): Promise<Readonly<Record<string, string>>> {
    const { namespace = '', name = '' } = secret ?? {};
    return csiStep(csiText(`${what} ${namespace}/${name}`), () => this.volumes.credentials(secret, signal));
  }

  private async saveData(): Promise<void> {
    const { driver, handle } = this.source;
    const attached = this.volumes.attached(this.source);
    const { data } = this.paths;
    await makeFolder(`failed to create data dir ${data}`, data);
    await csiStep(csiText('csi.NewBlockVolumeMapper failed to save volume info data'), () =>
      saveVolumeData(data, {
        specVolID: specName(this.spec),
        volumeHandle: handle,
        driverName: driver,
        nodeName: attached.nodeName,
        attachmentID: attachmentNameOf(attached),
      }),
    );
  }
}
