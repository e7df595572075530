import type { VolumeSpec } from './volume-spec.js';

/** Source: kubernetes v1.36 pkg/volume/plugins.go AttachableVolumePlugin, pkg/volume/volume.go Attacher. */
export interface AttachableVolumes {
  /** Throws while it cannot know; the volume then counts as not attachable until the next sync of the pod. */
  canAttach(spec: VolumeSpec): boolean;
  /**
   * Checks, or waits, that the volume is there. `devicePath` is that of the node's status, possibly empty. Resolves with
   * the path or name of the device.
   */
  waitForAttach(spec: VolumeSpec, devicePath: string, signal: AbortSignal): Promise<string>;
  /** For nodes whose kubelet attaches volumes itself. Resolves with the device's path; rejects where it cannot. */
  attach(spec: VolumeSpec, nodeName: string, signal: AbortSignal): Promise<string>;
  /** `volumeName` is that of {@link VolumePlugin.volumeName}. */
  detach(volumeName: string, nodeName: string, signal: AbortSignal): Promise<void>;
}
