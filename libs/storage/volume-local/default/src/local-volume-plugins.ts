import { totalmem } from 'node:os';
import { createMountTools } from '@podwright/filesystem';
import type { MountTools } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import type { VolumePlugin, WrapperVolumes } from '@podwright/volume-interface';
import { createEmptyDirPlugin, createEmptyDirWrapper } from './empty-dir.js';
import type { EmptyDirDeps } from './empty-dir.js';
import { createHostPathPlugin } from './host-path.js';
import { createImageVolumePlugin } from './image-volume.js';
import { supportsNoSwap } from './kernel-features.js';

export interface LocalVolumeDeps {
  readonly logger: Logger;
  /** Default: mount(8) and umount(8) of the node. */
  readonly mounts?: MountTools;
  /** Bytes that pods may use on this node; upper bound of memory volumes. Default: the memory of the machine. */
  readonly allocatableMemoryBytes?: () => number | undefined;
}

/** The plugins that need nothing but the node, for the list that the volume manager gets. */
export function createLocalVolumePlugins(deps: LocalVolumeDeps): readonly VolumePlugin[] {
  return [createEmptyDirPlugin(emptyDirDeps(deps)), createHostPathPlugin(), createImageVolumePlugin()];
}

/** Directories for the plugins of volumes that the kubelet writes. */
export function createLocalWrapperVolumes(deps: LocalVolumeDeps): WrapperVolumes {
  return createEmptyDirWrapper(emptyDirDeps(deps));
}

function emptyDirDeps(deps: LocalVolumeDeps): EmptyDirDeps {
  const { logger, mounts = createMountTools(), allocatableMemoryBytes = totalmem } = deps;
  let noSwap: Promise<boolean> | undefined;
  return { logger, mounts, allocatableMemoryBytes, supportsNoSwap: () => (noSwap ??= supportsNoSwap()) };
}
