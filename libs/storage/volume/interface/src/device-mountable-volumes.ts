import type { VolumeSpec } from './volume-spec.js';

export interface MountDeviceOptions {
  /** From attaching; empty when the volume is not attachable. */
  readonly devicePath: string;
  /** The label to mount with, as `context=`. */
  readonly seLinuxLabel?: string | undefined;
  /** An earlier kubelet may have mounted the device: a failure must leave what is there. Default false. */
  readonly reconstructed?: boolean;
}

/** Source: kubernetes v1.36 pkg/volume/plugins.go DeviceMountableVolumePlugin, pkg/volume/volume.go DeviceMounter. */
export interface DeviceMountableVolumes {
  canDeviceMount(spec: VolumeSpec): boolean;
  /** Where the volume is mounted for all pods of the node. */
  deviceMountPath(spec: VolumeSpec): Promise<string>;
  /** Idempotent. Rejections may be marked. */
  mountDevice(
    spec: VolumeSpec,
    deviceMountPath: string,
    options: MountDeviceOptions,
    signal: AbortSignal,
  ): Promise<void>;
  /** Idempotent; needs only the path, because the volume may be reconstructed. */
  unmountDevice(deviceMountPath: string, signal: AbortSignal): Promise<void>;
}
