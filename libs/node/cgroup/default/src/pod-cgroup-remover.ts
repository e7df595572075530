import path from 'node:path';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { CgroupFiles } from './cgroup-files.js';
import { subdirectories } from '@podwright/cgroup-files';
import { podUidOf } from '@podwright/cgroup-files';
import type { CgroupfsConfig } from './cgroupfs-config.js';
import { tiers, type PodCgroupPaths } from './pod-cgroup-paths.js';
import { isBusy, removeCgroup } from './remove-cgroup.js';

export interface PodCgroupRemoverDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly files: CgroupFiles;
  readonly paths: PodCgroupPaths;
  readonly cgroupDriver: CgroupfsConfig['cgroupDriver'];
}

/** Finds and removes pod cgroups in all hierarchies, also in those that only the runtime uses. */
export class PodCgroupRemover {
  constructor(
    private readonly deps: PodCgroupRemoverDeps,
    private readonly mountPoints: readonly string[],
  ) {}

  async podUids(): Promise<readonly string[]> {
    const { paths, cgroupDriver } = this.deps;
    const parents = this.mountPoints.flatMap((mountPoint) =>
      tiers.map((tier) => path.join(mountPoint, paths.ofTier(tier))),
    );
    const children = await Promise.all(parents.map(subdirectories));
    return [...new Set(children.flat().flatMap((directory) => podUidOf(cgroupDriver, directory) ?? []))];
  }

  /** Ends what is left inside. Rejects when that does not die. */
  async remove(uid: string): Promise<void> {
    const { clock, logger, files } = this.deps;
    for (const directory of await this.removeEmpty(this.directoriesOf(uid))) {
      const onKilled = (pids: readonly number[]): void =>
        logger.info('Killed processes left in a pod cgroup', { directory, pids });
      await removeCgroup(directory, { files, clock, kill: killQuietly, onKilled });
    }
  }

  // The usual case: the runtime has taken its cgroups with it. Resolves with those that still hold something.
  private async removeEmpty(directories: readonly string[]): Promise<readonly string[]> {
    const removed = await Promise.all(
      directories.map((directory) =>
        this.deps.files.removeDirectory(directory).then(
          () => true,
          (error: unknown) => {
            if (!isBusy(error)) throw error;
            return false;
          },
        ),
      ),
    );
    return directories.filter((_, index) => removed[index] === false);
  }

  private directoriesOf(uid: string): readonly string[] {
    const { paths } = this.deps;
    return this.mountPoints.flatMap((mountPoint) => tiers.map((tier) => path.join(mountPoint, paths.ofPod(tier, uid))));
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
