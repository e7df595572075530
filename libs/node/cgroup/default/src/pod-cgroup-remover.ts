import path from 'node:path';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { CgroupFiles } from './cgroup-files.js';
import { podUidOf } from '@podwright/cgroup-files';
import type { KubeCgroupConfig } from './kube-cgroup-config.js';
import { tiers, type PodCgroupPaths } from './pod-cgroup-paths.js';
import { isBusy, killBelow, removeCgroup } from './remove-cgroup.js';

export interface PodCgroupRemoverDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly files: CgroupFiles;
  readonly paths: PodCgroupPaths;
  readonly cgroupDriver: KubeCgroupConfig['cgroupDriver'];
  /** Called before the removal of a cgroup in which nothing runs any more, so that its other owners release it. */
  readonly giveUp?: (cgroup: string) => Promise<void>;
}

/** Finds and removes pod cgroups in all hierarchies, including those that only the runtime uses. */
export class PodCgroupRemover {
  constructor(
    private readonly deps: PodCgroupRemoverDeps,
    private readonly mountPoints: readonly string[],
  ) {}

  async podUids(): Promise<readonly string[]> {
    const { paths, cgroupDriver, files } = this.deps;
    const parents = this.mountPoints.flatMap((mountPoint) =>
      tiers.map((tier) => path.join(mountPoint, paths.ofTier(tier))),
    );
    const children = await Promise.all(parents.map((parent) => files.subdirectories(parent)));
    return [...new Set(children.flat().flatMap((directory) => podUidOf(cgroupDriver, directory) ?? []))];
  }

  /** Kills processes that are left inside. Rejects when they do not die. */
  async remove(uid: string): Promise<void> {
    const { clock, files } = this.deps;
    await this.giveUp(uid);
    for (const directory of await this.removeEmpty(await this.directoriesOf(uid)))
      await removeCgroup(directory, { files, clock, kill: killQuietly, onKilled: this.tellKilled(directory) });
  }

  // Kill what still runs first: the other owners would end it in their own way and time.
  private async giveUp(uid: string): Promise<void> {
    const { giveUp, files, paths } = this.deps;
    if (giveUp === undefined) return;
    for (const cgroup of tiers.map((tier) => paths.ofPod(tier, uid))) {
      const directories = this.mountPoints.map((mountPoint) => path.join(mountPoint, cgroup));
      const present = await Promise.all(directories.map((directory) => files.exists(directory)));
      if (!present.includes(true)) continue;
      for (const directory of directories) {
        const pids = await killBelow(directory, { files, kill: killQuietly });
        if (pids.length > 0) this.tellKilled(directory)(pids);
      }
      await giveUp(cgroup);
    }
  }

  private tellKilled(directory: string): (pids: readonly number[]) => void {
    return (pids) => this.deps.logger.info('Killed processes left in a pod cgroup', { directory, pids });
  }

  // The usual case: the runtime has removed its cgroups. Resolves with the directories that are still in use.
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

  // A pod has its cgroups in one tier. What an earlier kubelet may have left in another is found by the next search.
  private async directoriesOf(uid: string): Promise<readonly string[]> {
    const { files, paths } = this.deps;
    const [first = ''] = this.mountPoints;
    const cgroups = tiers.map((tier) => paths.ofPod(tier, uid));
    const present = await Promise.all(cgroups.map((cgroup) => files.exists(path.join(first, cgroup))));
    const found = cgroups.filter((_, index) => present[index]);
    return (found.length === 1 ? found : cgroups).flatMap((cgroup) =>
      this.mountPoints.map((mountPoint) => path.join(mountPoint, cgroup)),
    );
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
