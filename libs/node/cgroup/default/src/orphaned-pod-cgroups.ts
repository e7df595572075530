import { LOGGER, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { CGROUP_MANAGER, POD_CGROUP_CPU_REDUCTION } from '@podwright/cgroup-interface';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import type { HousekeepingPass, HousekeepingStep } from '@podwright/sync-loop-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';

export const orphanedPodCgroupsNeeds = needs({
  cgroups: pick(CGROUP_MANAGER, 'listPodUids', 'remove'),
  volumes: pick(VOLUME_MANAGER, 'hasPossiblyMountedVolumes'),
  lifecycle: pick(POD_LIFECYCLE, 'isFinished'),
  logger: LOGGER,
  /** Without it an orphaned pod keeps its CPU until its volumes are gone. */
  cpuReduction: optional(POD_CGROUP_CPU_REDUCTION),
});

/** Removes the cgroups of pods that cannot run. */
export class OrphanedPodCgroups implements HousekeepingStep {
  readonly stage = 'cgroups';
  readonly failure = 'Failed cleaning up orphaned pod cgroups';
  private readonly removing = new Set<string>();

  constructor(private readonly deps: Needs<typeof orphanedPodCgroupsNeeds>) {}

  /** Does not wait for the removals: processes that do not die must not block the pass. */
  async clean({ searching, possiblyRunning, searchAgain }: HousekeepingPass): Promise<void> {
    if (!searching) return;
    for (const uid of await this.deps.cgroups.listPodUids()) {
      // A finished pod has had its cgroup removed: a runtime that was late has made this one.
      const isWanted = possiblyRunning.has(uid) && !this.deps.lifecycle.isFinished(uid);
      if (isWanted || this.removing.has(uid)) continue;
      // Keep the cgroup while volumes remain: memory-backed ones would be charged to its parent.
      const volumesRemain = await this.deps.volumes.hasPossiblyMountedVolumes(uid);
      if (volumesRemain) searchAgain();
      this.removing.add(uid);
      const failed = (error: unknown): void => {
        searchAgain();
        this.deps.logger.warn('Cgroup of an orphaned pod could not be removed, trying again', { podUid: uid, error });
      };
      void (volumesRemain ? this.reduceCpu(uid) : this.deps.cgroups.remove(uid))
        .catch(failed)
        .finally(() => this.removing.delete(uid));
    }
  }

  private async reduceCpu(uid: string): Promise<void> {
    await this.deps.cpuReduction?.reduceCpu(uid);
  }
}
