import { dirname } from 'node:path';
import { messageOf } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';
import {
  specName,
  uncertainProgress,
  volumeFailure,
  type SetUpOptions,
  type VolumeMounter,
  type VolumeSpec,
  type VolumeUsageSource,
} from '@podwright/volume-interface';
import type { CsiOperation } from '../client/csi-operation.js';
import type { CsiVolumes } from '../csi-volumes.js';
import { csiUsage } from '../usage/csi-usage.js';
import { attachmentNameOf } from './attachment.js';
import { csiSourceOf, type CsiSource } from './csi-source.js';
import { transientStep } from './csi-step.js';
import { applyFsGroup, kubeletAppliesFsGroup } from './fs-group.js';
import { makeFolder } from './make-folder.js';
import { preparePublish, type PreparedPublish } from './prepare-publish.js';
import { hasLabels } from './selinux-mount.js';
import { saveVolumeData } from './volume-data.js';
import { removeFailedMount } from './volume-folder.js';
import { publishTarget } from './volume-paths.js';

/**
 * Publishes one volume for one pod. As with staging, the data file is there as long as something may be published.
 * Source: kubernetes v1.36 pkg/volume/csi/csi_mounter.go SetUpAt.
 */
export class CsiMounter implements VolumeMounter {
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly managed: boolean;
  readonly usage: VolumeUsageSource;
  selinuxRelabel = false;
  private readonly source: CsiSource;

  /** Throws for a volume that is malformed. */
  constructor(
    private readonly volumes: CsiVolumes,
    private readonly spec: VolumeSpec,
  ) {
    this.source = csiSourceOf(spec);
    this.hostPath = publishTarget(spec.podDir, specName(spec));
    this.readOnly = this.source.readOnly;
    this.managed = !this.source.readOnly;
    this.usage = csiUsage(volumes, { spec, source: this.source, path: this.hostPath });
  }

  async setUp(signal: AbortSignal, options: SetUpOptions = {}): Promise<void> {
    await this.volumes.operation(signal, (operation) => this.publish(options, operation), this.spec);
  }

  private async publish(options: SetUpOptions, operation: CsiOperation): Promise<void> {
    const prepared = await transientStep(async () => {
      const found = await preparePublish(this.volumes, this.spec, this.hostPath, options.seLinuxLabel, operation);
      await this.makeFolder(found.label);
      return found;
    });
    try {
      await prepared.client.nodePublishVolume(prepared.request, operation);
    } catch (error) {
      const isFirst = options.remount !== true && options.reconstructed !== true;
      if (!isFirst || volumeFailure(error) !== 'final') throw error;
      if (await removeFailedMount(this.volumes.deps, this.hostPath, 'mounter.SetUpAt')) throw error;
      throw uncertainProgress(error);
    }
    await this.finish(prepared, operation.signal);
  }

  private async makeFolder(label: string | undefined): Promise<void> {
    const folder = dirname(this.hostPath);
    await makeFolder(`mounter.SetUpAt failed to create dir ${goQuote(folder)}`, folder);
    const { driver, handle, lifecycleMode } = this.source;
    const attached = this.volumes.attached(this.source);
    await saveVolumeData(folder, {
      specVolID: specName(this.spec),
      volumeHandle: handle,
      driverName: driver,
      nodeName: attached.nodeName,
      volumeLifecycleMode: lifecycleMode,
      attachmentID: attachmentNameOf(attached),
      ...(label !== undefined && { seLinuxMountContext: label }),
    });
  }

  /** The volume is published, so failures are uncertain: the kubelet must take it down when the pod ends. */
  private async finish(prepared: PreparedPublish, signal: AbortSignal): Promise<void> {
    const { volumes, spec, source } = this;
    if (prepared.label === undefined) {
      this.selinuxRelabel = await hasLabels(volumes.deps.mounts, this.hostPath).catch((error: unknown) => {
        throw uncertainProgress(error, `error checking for SELinux support: ${messageOf(error)}`);
      });
    }
    const fsGroup = spec.pod.spec.securityContext?.fsGroup;
    if (fsGroup === undefined || prepared.driverOwnsFiles) return;
    if (!kubeletAppliesFsGroup(source, prepared.fsGroupPolicy)) return;
    const of = { fsGroup, driver: source.driver, spec };
    await applyFsGroup(this.hostPath, of, volumes.deps, signal).catch((error: unknown) => {
      throw uncertainProgress(error, `applyFSGroup failed for vol ${source.handle}: ${messageOf(error)}`);
    });
  }
}
