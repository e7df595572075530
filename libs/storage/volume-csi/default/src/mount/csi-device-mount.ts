import { dirname } from 'node:path';
import { KubeletError, messageOf } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';
import type { DeepPartial } from '@podwright/protobuf-wire';
import type { NodeStageVolumeRequest } from '@podwright/volume-csi-interface';
import {
  uncertainProgress,
  volumeFailure,
  type DeviceMountableVolumes,
  type MountDeviceOptions,
  type VolumeSpec,
} from '@podwright/volume-interface';
import { csiText } from '../csi-text.js';
import type { CsiClient } from '../client/csi-client.js';
import type { CsiOperation } from '../client/csi-operation.js';
import type { CsiVolumes } from '../csi-volumes.js';
import { csiSourceOf, persistentCsiOf } from './csi-source.js';
import { csiStep, transientStep } from './csi-step.js';
import { makeFolder } from './make-folder.js';
import { fetchingSecret } from './secrets.js';
import { withSeLinuxLabel } from './selinux-mount.js';
import { volumeCapability } from './volume-capability.js';
import { loadVolumeData, saveVolumeData } from './volume-data.js';
import { removeFailedMount, removeVolumeFolder } from './volume-folder.js';
import { stagingTarget } from './volume-paths.js';

/**
 * Stages volumes of PersistentVolumes once for all pods of the node, with drivers that can. The data file is written
 * before the driver is called and removed after its work is undone, so `unmountDevice` undoes whatever a kill leaves.
 * Source: kubernetes v1.36 pkg/volume/csi/csi_attacher.go MountDevice, UnmountDevice.
 */
export class CsiDeviceMount implements DeviceMountableVolumes {
  constructor(private readonly volumes: CsiVolumes) {}

  canDeviceMount({ persistentVolume }: VolumeSpec): boolean {
    return persistentVolume !== undefined;
  }

  async deviceMountPath(spec: VolumeSpec): Promise<string> {
    const { driver, volumeHandle } = persistentCsiOf(spec);
    if (driver === '') throw noPath('csi source driver name is empty');
    if (volumeHandle === '') throw noPath('CSIPersistentVolumeSource volume handle is empty');
    return stagingTarget(this.volumes.options.rootDir, driver, volumeHandle);
  }

  async mountDevice(
    spec: VolumeSpec,
    deviceMountPath: string,
    options: MountDeviceOptions,
    signal: AbortSignal,
  ): Promise<void> {
    await this.volumes.operation(
      signal,
      async (operation) => {
        const prepared = await transientStep(() => this.prepare(spec, deviceMountPath, options, operation));
        if (prepared === undefined) return;
        try {
          await prepared.client.nodeStageVolume(prepared.request, operation);
        } catch (error) {
          const isClean = volumeFailure(error) === 'final' && options.reconstructed !== true;
          if (isClean && !(await this.removeAfter(deviceMountPath, error))) throw uncertainProgress(error);
          throw error;
        }
      },
      spec,
    );
  }

  async unmountDevice(deviceMountPath: string, signal: AbortSignal): Promise<void> {
    const { volumes } = this;
    const folder = dirname(deviceMountPath);
    await volumes.operation(signal, async (operation) => {
      const data = await loadVolumeData(folder);
      if (data !== undefined) {
        const client = await csiStep(csiText('attacher.UnmountDevice failed to create newCsiDriverClient'), () =>
          volumes.client(data.driverName),
        );
        const stages = await csiStep(
          csiText('attacher.UnmountDevice failed to check whether STAGE_UNSTAGE_VOLUME set'),
          () => client.supports('STAGE_UNSTAGE_VOLUME', operation),
        );
        if (stages) {
          await csiStep(csiText('attacher.UnmountDevice failed'), () =>
            client.nodeUnstageVolume({ volumeId: data.volumeHandle, stagingTargetPath: deviceMountPath }, operation),
          );
        }
      }
      await csiStep(csiText(`failed to clean up global mount ${folder}`), async () => {
        if (await removeVolumeFolder(volumes.deps.mounts, deviceMountPath)) return;
        // A controller may detach the volume once this has succeeded.
        throw new KubeletError(`${deviceMountPath} is still mounted`, { code: 'failed-precondition' });
      });
    });
  }

  /** All that comes before the call, which is the first to change the volume. Undefined: the driver does not stage. */
  private async prepare(
    spec: VolumeSpec,
    target: string,
    options: MountDeviceOptions,
    operation: CsiOperation,
  ): Promise<{ client: CsiClient; request: DeepPartial<NodeStageVolumeRequest> } | undefined> {
    const { volumes } = this;
    const { signal } = operation;
    const source = csiSourceOf(spec);
    const { driver, handle, stageSecret } = source;
    const client = await csiStep(csiText('attacher.MountDevice failed to create newCsiDriverClient'), () =>
      volumes.client(driver),
    );
    if (!(await client.supports('STAGE_UNSTAGE_VOLUME', operation))) return undefined;
    const publishContext = await volumes.publishContext(source, signal);
    const secrets = await csiStep(fetchingSecret('NodeStageSecretRef', stageSecret), () =>
      volumes.credentials(stageSecret, signal),
    );
    const { mountOptions } = source;
    const { mountFlags, label } = await withSeLinuxLabel(mountOptions, options.seLinuxLabel, spec, volumes.rules);
    const ownsFiles = await csiStep(
      csiText('attacher.MountDevice failed to determine if the node service has VOLUME_MOUNT_GROUP capability'),
      () => client.supports('VOLUME_MOUNT_GROUP', operation),
    );
    const volumeMountGroup = ownsFiles ? spec.pod.spec.securityContext?.fsGroup : undefined;
    const capability = await volumeCapability(client, source, { mountFlags, volumeMountGroup }, operation);
    await makeFolder(`attacher.MountDevice failed to create dir ${goQuote(target)}`, target);
    await csiStep(csiText('failed to save volume info data'), () =>
      saveVolumeData(dirname(target), {
        volumeHandle: handle,
        driverName: driver,
        ...(label !== undefined && { seLinuxMountContext: label }),
      }),
    );
    return {
      client,
      request: {
        volumeId: handle,
        publishContext: publishContext ?? {},
        stagingTargetPath: target,
        volumeCapability: capability,
        secrets,
        volumeContext: source.attributes,
      },
    };
  }

  /** False when the driver has mounted the volume in spite of its answer. */
  private async removeAfter(target: string, error: unknown): Promise<boolean> {
    const { logger } = this.volumes.deps;
    logger.error(csiText(`attacher.MountDevice failed: ${messageOf(error)}`));
    return removeFailedMount(this.volumes.deps, target, 'attacher.MountDevice');
  }
}

function noPath(reason: string): KubeletError {
  const text = `attacher.GetDeviceMountPath failed to make device mount path: makeDeviceMountPath failed, ${reason}`;
  return new KubeletError(csiText(text), { code: 'invalid-argument' });
}
