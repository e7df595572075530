import type { VolumeUsageSource } from './volume-usage.js';
import type { VolumeSpec } from './volume-spec.js';

/** Source: kubernetes v1.36 pkg/volume/plugins.go BlockVolumePlugin. */
export interface BlockVolumes {
  /** Also for a reconstructed volume. Throws for a malformed one. */
  newMapper(spec: VolumeSpec): BlockVolumeMapper;
}

/**
 * One volume as a block device. The volume manager makes the links for pods; a mapper does what only its plugin can.
 * Source: kubernetes v1.36 pkg/volume/volume.go BlockVolumeMapper, CustomBlockVolumeMapper, CustomBlockVolumeUnmapper.
 */
export interface BlockVolumeMapper {
  /** Folder for the node's links to the device, one per pod, named by its UID. */
  readonly globalMapPath: string;
  /** Where the plugin stages the device for the node; absent when it does not. */
  readonly stagingPath?: string;
  readonly usage?: VolumeUsageSource;
  /** Once per node, before the first pod. Resolves with the staging path, empty without one. */
  setUpDevice?(signal: AbortSignal): Promise<string>;
  /** Once per pod. Resolves with the device's path, which wins over that from attaching. */
  mapPodDevice?(signal: AbortSignal): Promise<string>;
  unmapPodDevice?(signal: AbortSignal): Promise<void>;
  /** Once per node, after the last pod. */
  tearDownDevice?(devicePath: string, signal: AbortSignal): Promise<void>;
}
