import { mkdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KubeletError, messageOf } from '@podwright/errors';
import { cleanMountPoint, isMountPoint } from '@podwright/filesystem';
import type {
  DeviceMountableVolumes,
  ExpandableVolumes,
  MountDeviceOptions,
  NodeExpandRequest,
  VolumeSpec,
} from '@podwright/volume-interface';
import { isReadOnlySpec, joinMountOptions, mountOptionsOf, specName } from '@podwright/volume-interface';
import { deviceMountsDir, localPath, pluginName, sourceKind } from './local-source.js';
import type { LocalVolumeDeps } from './local-volume-deps.js';

/**
 * Mounts the disks of local volumes once for the node, and grows their file systems. Directories need neither. Source:
 * kubernetes v1.36 pkg/volume/local deviceMounter, NodeExpand.
 */
export class LocalDisks implements DeviceMountableVolumes, ExpandableVolumes {
  constructor(private readonly deps: Pick<LocalVolumeDeps, 'mounts' | 'disks' | 'clock' | 'run' | 'logger'>) {}

  canDeviceMount(): boolean {
    return true;
  }

  /** Of a directory its own path; empty for one that is known only by its mount in a pod. */
  async deviceMountPath(spec: VolumeSpec): Promise<string> {
    const path = localPath(spec);
    if (path === '') return '';
    return (await sourceKind(path, this.deps)) === 'directory'
      ? path
      : join(deviceMountsDir(spec.podDir), specName(spec));
  }

  async mountDevice(
    spec: VolumeSpec,
    deviceMountPath: string,
    _options: MountDeviceOptions,
    signal: AbortSignal,
  ): Promise<void> {
    const source = localPath(spec);
    if ((await sourceKind(source, this.deps)) === 'directory') return;
    const { mounts, disks } = this.deps;
    await mkdir(deviceMountPath, { recursive: true, mode: 0o750 });
    if (await isMountPoint(mounts, deviceMountPath)) return;
    const { persistentVolume } = spec;
    const ofVolume = persistentVolume === undefined ? [] : mountOptionsOf(persistentVolume);
    const options = joinMountOptions(ofVolume, isReadOnlySpec(spec) ? ['ro'] : []);
    const fsType = persistentVolume?.spec?.local?.fsType ?? 'ext4';
    try {
      await disks.formatAndMount({ source, target: deviceMountPath, fsType, options, signal });
    } catch (error) {
      await rmdir(deviceMountPath).catch((removing: unknown) => {
        this.deps.logger.warn('Failed to remove the directory of a failed mount', {
          path: deviceMountPath,
          error: removing,
        });
      });
      const message = `local: failed to mount device ${source} at ${deviceMountPath} (fstype: ${fsType})`;
      throw new KubeletError(`${message}, error ${messageOf(error)}`, {
        code: KubeletError.from(error).code,
        cause: error,
      });
    }
  }

  /** Leaves alone what the plugin did not mount: the directory of a volume. */
  async unmountDevice(deviceMountPath: string, signal: AbortSignal): Promise<void> {
    if (!dirname(deviceMountPath).endsWith(join('/plugins', pluginName, 'mounts'))) return;
    await cleanMountPoint(this.deps.mounts, deviceMountPath, signal);
  }

  requiresFsResize(): boolean {
    return true;
  }

  async nodeExpand({ spec, mode, deviceMountPath }: NodeExpandRequest, signal: AbortSignal): Promise<void> {
    if (mode === 'Block') return;
    const path = localPath(spec);
    if ((await sourceKind(path, this.deps)) === 'block-device')
      await this.deps.disks.resize(path, deviceMountPath, signal);
  }
}
