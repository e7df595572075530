import { totalmem } from 'node:os';
import { join } from 'node:path';
import { createMountTools } from '@podwright/filesystem';
import type { MountTools } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import { observeAccessControl, type VolumePlugin, type WrapperVolumes } from '@podwright/volume-interface';
import { createEmptyDirPlugin, createEmptyDirWrapper, emptyDirPluginName } from './empty-dir.js';
import type { EmptyDirDeps } from './empty-dir.js';
import { createGitRepoPlugin } from './git-repo.js';
import { createHostPathPlugin } from './host-path.js';
import { createImageVolumePlugin } from './image-volume.js';
import { supportsNoSwap } from './kernel-features.js';

export interface LocalVolumeDeps {
  readonly logger: Logger;
  /** Default: mount(8) and umount(8) of the node. */
  readonly mounts?: MountTools | undefined;
  /** Bytes of memory that pods may use on this node; limits memory volumes. Default: the machine's memory. */
  readonly allocatableMemoryBytes?: () => number | undefined;
  /** The kubelet's root directory. Default `/var/lib/kubelet`. */
  readonly rootDir?: string;
  /** Folder below which host paths are made instead of on the node. Default: none. */
  readonly standInRoot?: string;
  /** Counts what emptyDirs on disk use. Default: their files are counted. */
  readonly quotas?: EmptyDirDeps['quotas'];
  /** For the duration of changes of owners. Default: none is measured. */
  readonly measure?: { readonly clock: Clock; readonly metrics: MetricsRegistry };
}

/** The plugins that need only the node, for the volume manager. */
export function createLocalVolumePlugins(deps: LocalVolumeDeps): readonly VolumePlugin[] {
  const emptyDir = emptyDirDeps(deps);
  const gitRepo = createGitRepoPlugin(createEmptyDirWrapper(emptyDir));
  return [
    createEmptyDirPlugin(emptyDir),
    gitRepo,
    createHostPathPlugin(undefined, deps.standInRoot),
    createImageVolumePlugin(),
  ];
}

/** Creates the emptyDirs for plugins whose files the kubelet writes. */
export function createLocalWrapperVolumes(deps: LocalVolumeDeps): WrapperVolumes {
  return createEmptyDirWrapper(emptyDirDeps(deps));
}

function emptyDirDeps(deps: LocalVolumeDeps): EmptyDirDeps {
  const { logger, mounts = createMountTools(), allocatableMemoryBytes = totalmem, quotas, measure } = deps;
  const { rootDir = '/var/lib/kubelet' } = deps;
  let noSwap: Promise<boolean> | undefined;
  const probe = { mounts, directory: join(rootDir, 'plugins', emptyDirPluginName) };
  const observe = measure && observeAccessControl(measure.metrics, emptyDirPluginName);
  return {
    ...{ logger, mounts, allocatableMemoryBytes, quotas },
    supportsNoSwap: () => (noSwap ??= supportsNoSwap(probe)),
    watch: measure && ((podUid) => ({ clock: measure.clock, podUid, onDone: observe })),
  };
}
