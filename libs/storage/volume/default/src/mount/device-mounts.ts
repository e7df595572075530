import { KubeletError, messageOf } from '@podwright/errors';
import { mountRefs, type MountTools } from '@podwright/filesystem';
import { volumeFailure } from '@podwright/volume-interface';
import type { PodVolume, SharedVolume } from '../volume-table.js';
import type { VolumeFailures } from './volume-failures.js';

export interface DeviceMountsDeps {
  readonly mounts: Pick<MountTools, 'list'>;
  readonly isDeviceOpen: (devicePath: string) => Promise<boolean>;
  readonly failures: VolumeFailures;
}

/**
 * Mounts shared volumes once for the node. Source: kubernetes v1.36 pkg/volume/util/operationexecutor
 * GenerateMountVolumeFunc (MountDevice), GenerateUnmountDeviceFunc.
 */
export class DeviceMounts {
  constructor(private readonly deps: DeviceMountsDeps) {}

  /** Does nothing for a volume that is mounted, or that its plugin does not mount for the node. */
  async mount(record: PodVolume, shared: SharedVolume, signal: AbortSignal): Promise<void> {
    const seLinuxLabel = record.seLinuxLabel || undefined;
    const { deviceMountable } = shared.plugin;
    if (deviceMountable?.canDeviceMount(record.spec) !== true || shared.device === 'mounted') return;
    const before = shared.device;
    const { failures } = this.deps;
    const path = await failures.step('MountVolume.GetDeviceMountPath failed', record, () =>
      deviceMountable.deviceMountPath(record.spec),
    );
    await failures.step('MountVolume.MountDevice failed', record, async () => {
      shared.deviceMountPath = path;
      // Before the first step: from now on something may be mounted, whatever happens.
      shared.device = 'uncertain';
      try {
        const { devicePath, reconstructed } = shared;
        await deviceMountable.mountDevice(record.spec, path, { devicePath, seLinuxLabel, reconstructed }, signal);
      } catch (error) {
        shared.device = after(error, before, shared.reconstructed);
        throw error;
      }
      shared.device = 'mounted';
      shared.reconstructed = false;
      shared.seLinuxLabel = seLinuxLabel;
    });
  }

  /** Refuses while the device is mounted elsewhere too. */
  async unmount(shared: SharedVolume, signal: AbortSignal): Promise<void> {
    const { deviceMountable } = shared.plugin;
    if (deviceMountable === undefined) return;
    const path = await this.pathOf(shared);
    await this.deps.failures.quietly('GetDeviceMountRefs check failed', shared.uniqueName, () => this.refuseRefs(path));
    shared.device = 'uncertain';
    await this.deps.failures.quietly('UnmountDevice failed', shared.uniqueName, async () => {
      await deviceMountable.unmountDevice(path, signal);
      if (shared.devicePath !== '' && (await this.deps.isDeviceOpen(shared.devicePath))) {
        throw new KubeletError('the device is in use when it was no longer expected to be in use', {
          code: 'failed-precondition',
        });
      }
    });
    shared.device = 'unmounted';
    shared.deviceMountPath = '';
    shared.seLinuxLabel = undefined;
    shared.reconstructed = false;
  }

  private async pathOf(shared: SharedVolume): Promise<string> {
    try {
      return (await shared.plugin.deviceMountable?.deviceMountPath(shared.spec)) ?? shared.deviceMountPath;
    } catch (error) {
      // A local volume's folder may be gone before its mount is.
      if (messageOf(error).includes('does not exist') && shared.deviceMountPath !== '') return shared.deviceMountPath;
      throw error;
    }
  }

  private async refuseRefs(path: string): Promise<void> {
    const pluginPart = path.slice(Math.max(path.indexOf('/plugins/kubernetes.io/'), 0));
    const others = mountRefs(await this.deps.mounts.list(), path).filter((ref) => !ref.includes(pluginPart));
    if (others.length === 0) return;
    throw new KubeletError(
      `the device mount path ${JSON.stringify(path)} is still mounted by other references [${others.join(' ')}]`,
      { code: 'failed-precondition' },
    );
  }
}

/** What is known of a mount after its operation has failed. */
export function after<State extends 'unmounted' | 'uncertain' | 'mounted'>(
  error: unknown,
  before: State,
  reconstructed: boolean,
): State | 'unmounted' | 'uncertain' {
  switch (volumeFailure(error)) {
    case 'transient':
      return before;
    case 'uncertain':
      return 'uncertain';
    case 'final':
      return reconstructed ? 'uncertain' : 'unmounted';
  }
}
