import { chmod, mkdir, open, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KubeletError } from '@podwright/errors';
import {
  fileSystemAt,
  makeDirectory,
  mountsBelow,
  removeOneFileSystem,
  setVolumeOwnership,
} from '@podwright/filesystem';
import type { MountEntry, MountTools, OwnershipWatch } from '@podwright/filesystem';
import { podUid } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type {
  VolumeMounter,
  VolumePlugin,
  VolumeSpec,
  VolumeUsageSource,
  WrapperVolumes,
} from '@podwright/volume-interface';
import { checkHugePageMount, hugePageSize } from './huge-page-size.js';
import type { ProjectQuotas } from './quota/project-quotas.js';
import { diskVolumeSize, memoryVolumeSize } from './memory-volume-size.js';

export interface EmptyDirDeps {
  readonly mounts: MountTools;
  readonly logger: Logger;
  /** Bytes of memory that pods may use on this node; limits memory volumes. Undefined: the node sets no limit. */
  readonly allocatableMemoryBytes: () => number | undefined;
  /** Whether memory volumes can be excluded from swap. */
  readonly supportsNoSwap: () => Promise<boolean>;
  /** Counts what directories on disk use; absent: their files are counted. */
  readonly quotas?: Pick<ProjectQuotas, 'assign' | 'usage' | 'clear'> | undefined;
  /** Measures changes of owners. */
  readonly watch?: ((podUid: string) => OwnershipWatch) | undefined;
}

export const emptyDirPluginName = 'kubernetes.io/empty-dir';
const folder = 'kubernetes.io~empty-dir';
const dirPath = (podDir: string, name: string): string => join(podDir, 'volumes', folder, name);
const readyDir = (podDir: string, name: string): string => join(podDir, 'plugins', folder, name);

/** Directories that live as long as their pod, on disk or in memory. Source: kubernetes v1.36 pkg/volume/emptydir. */
export function createEmptyDirPlugin(deps: EmptyDirDeps): VolumePlugin {
  return {
    name: emptyDirPluginName,
    canSupport: (volume) => volume.emptyDir !== undefined,
    newMounter: (spec) => new EmptyDirMounter(deps, spec),
    tearDown: (podDir, volumeName) => tearDown(deps, podDir, volumeName, dirPath(podDir, volumeName)),
  };
}

/** Such directories at the path of another volume, whose files the kubelet writes. */
export function createEmptyDirWrapper(deps: EmptyDirDeps): WrapperVolumes {
  return {
    setUp: (spec, path, signal) => new EmptyDirMounter(deps, spec, path).setUp(signal),
    tearDown: (podDir, wrapperName, path) => tearDown(deps, podDir, wrapperName, path),
  };
}

class EmptyDirMounter implements VolumeMounter {
  readonly hostPath: string;
  readonly readOnly = false;
  readonly managed = true;
  readonly selinuxRelabel = true;
  readonly usage: VolumeUsageSource;
  private readonly medium: string;
  private readonly readyMark: string;

  constructor(
    private readonly deps: EmptyDirDeps,
    private readonly spec: VolumeSpec,
    hostPath = dirPath(spec.podDir, spec.volume.name),
  ) {
    this.hostPath = hostPath;
    this.readyMark = join(readyDir(spec.podDir, spec.volume.name), 'ready');
    this.medium = spec.volume.emptyDir?.medium ?? '';
    const { quotas } = deps;
    this.usage = quotas === undefined ? 'tree' : { quota: (signal) => quotas.usage(hostPath, signal) };
  }

  async setUp(signal: AbortSignal): Promise<void> {
    if (await this.isReady()) return this.assignQuota(signal);
    switch (this.medium) {
      case '':
        await this.makeDirectory();
        break;
      case 'Memory':
        await this.setUpTmpfs(signal);
        break;
      default:
        if (!this.medium.startsWith('HugePages')) throw unknownMedium(this.medium);
        await this.setUpHugePages(signal);
    }
    await this.giveToGroup(signal);
    await mkdir(readyDir(this.spec.podDir, this.spec.volume.name), { recursive: true, mode: 0o750 });
    await (await open(this.readyMark, 'w', 0o644)).close();
    await this.assignQuota(signal);
  }

  /** As upstream only in pods with a user namespace: others could leave their project. */
  private async assignQuota(signal: AbortSignal): Promise<void> {
    const { pod } = this.spec;
    if (this.medium !== '' || pod.spec.hostUsers !== false) return;
    await this.deps.quotas?.assign(this.hostPath, diskVolumeSize(this.spec), signal);
  }

  /** A directory that is set up stays as it is, because containers may have changed it. */
  private async isReady(): Promise<boolean> {
    if (!(await exists(this.readyMark))) return false;
    if (this.medium === '') {
      if (await exists(this.hostPath)) return true;
      await rm(this.readyMark, { force: true });
      return false;
    }
    return this.medium === 'Memory' && (await this.isMounted('tmpfs'));
  }

  /** Resolves to true when it created the directory. */
  private async makeDirectory(): Promise<boolean> {
    const isNew = (await makeDirectory(this.hostPath)) !== undefined;
    // The umask removes bits from the mode.
    if (isNew || ((await stat(this.hostPath)).mode & 0o777) !== 0o777) await chmod(this.hostPath, 0o777);
    return isNew;
  }

  private async setUpTmpfs(signal: AbortSignal): Promise<void> {
    // Saves reading a long mount table: nothing is mounted on a new directory.
    const isNew = await this.makeDirectory();
    if (!isNew && (await this.isMounted('tmpfs'))) return;
    const size = memoryVolumeSize(this.spec, this.deps.allocatableMemoryBytes());
    const options = [
      ...(size === undefined ? [] : [`size=${size}`]),
      ...((await this.deps.supportsNoSwap()) ? ['noswap'] : []),
    ];
    await this.deps.mounts.mount({ source: 'tmpfs', target: this.hostPath, fsType: 'tmpfs', options, signal });
  }

  private async setUpHugePages(signal: AbortSignal): Promise<void> {
    await this.makeDirectory();
    const mounted = await this.mountAt('hugetlbfs');
    if (mounted !== undefined) return checkHugePageMount(this.medium, mounted, podUid(this.spec.pod));
    const options = [`pagesize=${hugePageSize(this.medium, this.spec.pod)}`];
    await this.deps.mounts.mount({ source: 'nodev', target: this.hostPath, fsType: 'hugetlbfs', options, signal });
  }

  private async isMounted(fsType: string): Promise<boolean> {
    // Saves reading the mount table, which has several lines for each container of the node.
    const found = await fileSystemAt(this.hostPath);
    return (found?.ownDevice === true && found.type === fsType) || (await this.mountAt(fsType)) !== undefined;
  }

  private async mountAt(fsType: string): Promise<MountEntry | undefined> {
    const table = await this.deps.mounts.list();
    return mountsBelow(table, this.hostPath).find(
      (entry) => entry.mountPoint === this.hostPath && entry.fsType === fsType,
    );
  }

  private async giveToGroup(signal: AbortSignal): Promise<void> {
    const fsGroup = this.spec.pod.spec.securityContext?.fsGroup;
    if (fsGroup === undefined) return;
    const onError = (path: string, error: unknown): void =>
      this.deps.logger.warn('cannot change the owner of a volume', { path, error });
    const watch = this.deps.watch?.(podUid(this.spec.pod));
    try {
      await setVolumeOwnership(this.hostPath, { fsGroup, readOnly: false, onError, watch }, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      this.deps.logger.warn('cannot walk a volume to change its owner', { path: this.hostPath, error });
    }
  }
}

async function tearDown(deps: EmptyDirDeps, podDir: string, volumeName: string, path: string): Promise<void> {
  // Remove the mark first: a half-removed directory must not pass for one that is set up.
  await rm(readyDir(podDir, volumeName), { recursive: true, force: true });
  const found = await fileSystemAt(path);
  if (found === undefined) return;
  if (found.type !== 'other' && found.ownDevice) {
    await deps.mounts.unmount(path);
    // The usual case. Only what is more than an empty directory needs a look at the mount table.
    if (await isRemoved(path)) return;
  }
  const left = mountsBelow(await deps.mounts.list(), path);
  if (left.length > 0) {
    const points = left.map(({ mountPoint }) => mountPoint).join(', ');
    throw new KubeletError(`cannot remove ${path}: still mounted are ${points}`, { code: 'failed-precondition' });
  }
  if (found.type === 'other') {
    await deps.quotas?.clear(path).catch((error: unknown) => {
      deps.logger.warn('Failed to clear quota', { path, error });
    });
  }
  await removeOneFileSystem(path);
}

/** Removes the directory if it is empty and nothing is mounted on it. */
async function isRemoved(path: string): Promise<boolean> {
  return rmdir(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTEMPTY' || error.code === 'EBUSY') return false;
      throw error;
    },
  );
}

function unknownMedium(medium: string): KubeletError {
  return new KubeletError(`unknown storage medium ${JSON.stringify(medium)}`, { code: 'invalid-argument' });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
