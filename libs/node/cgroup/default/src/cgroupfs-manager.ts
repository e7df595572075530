import { stat } from 'node:fs/promises';
import path from 'node:path';
import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import type { CgroupManager } from '@podwright/cgroup-interface';
import { podQosClass, podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { absentIs, cgroupMountPoints, subdirectories } from './cgroup-hierarchies.js';
import { cgroupName, podUidOf } from './cgroup-name.js';
import { CGROUPFS_CONFIG, type CgroupfsConfig } from './cgroupfs-config.js';
import { removeCgroup } from './remove-cgroup.js';

const tiers = ['Guaranteed', 'Burstable', 'BestEffort'] as const;
type Tier = (typeof tiers)[number];

/**
 * {@link CgroupManager} that names pod cgroups as upstream does and removes them. Their creation is left to the runtime,
 * which makes the parent that RunPodSandbox names; limits of the tiers and of whole pods are not written.
 */
@injectable()
export class CgroupfsManager implements CgroupManager {
  private mountPoints: readonly string[] = [];

  constructor(
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(CGROUPFS_CONFIG) private readonly config: CgroupfsConfig,
  ) {}

  async start(): Promise<void> {
    this.mountPoints = await cgroupMountPoints(this.config.mountInfoFile);
  }

  async stop(): Promise<void> {}

  podCgroupParent(pod: Pod): string {
    if (!this.config.cgroupsPerQos) return this.config.cgroupRoot;
    return this.podPath(podQosClass(pod), podUid(pod));
  }

  // The runtime makes the cgroup together with the sandbox, so it can never be missing under running containers.
  async exists(): Promise<boolean> {
    return true;
  }

  async ensureExists(): Promise<void> {}

  async remove(uid: string): Promise<void> {
    for (const directory of await this.directoriesOf(uid)) {
      const onKilled = (pids: readonly number[]): void =>
        this.logger.info('Killed processes left in a pod cgroup', { directory, pids });
      await removeCgroup(directory, { clock: this.clock, kill: killQuietly, onKilled });
    }
  }

  async listPodUids(): Promise<readonly string[]> {
    const uids = new Set<string>();
    for (const mountPoint of this.podHierarchies()) {
      for (const tier of tiers) {
        for (const directory of await subdirectories(path.join(mountPoint, this.tierPath(tier)))) {
          const uid = podUidOf(this.config.cgroupDriver, directory);
          if (uid !== undefined) uids.add(uid);
        }
      }
    }
    return [...uids];
  }

  private async directoriesOf(uid: string): Promise<readonly string[]> {
    const candidates = this.podHierarchies().flatMap((mountPoint) =>
      tiers.map((tier) => path.join(mountPoint, this.podPath(tier, uid))),
    );
    const present = await Promise.all(
      candidates.map((candidate) =>
        stat(candidate)
          .then(() => true)
          .catch(absentIs(false)),
      ),
    );
    return candidates.filter((_, index) => present[index]);
  }

  // Without QoS cgroups pods have none of their own.
  private podHierarchies(): readonly string[] {
    return this.config.cgroupsPerQos ? this.mountPoints : [];
  }

  private tierComponents(tier: Tier): readonly string[] {
    return tier === 'Guaranteed' ? ['kubepods'] : ['kubepods', tier.toLowerCase()];
  }

  private tierPath(tier: Tier): string {
    return cgroupName(this.config.cgroupDriver, this.config.cgroupRoot, this.tierComponents(tier));
  }

  private podPath(tier: Tier, uid: string): string {
    return cgroupName(this.config.cgroupDriver, this.config.cgroupRoot, [...this.tierComponents(tier), `pod${uid}`]);
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export interface CgroupfsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Without DI. */
export function createCgroupfsManager({ clock, logger }: CgroupfsDeps, config: CgroupfsConfig): CgroupManager {
  return new CgroupfsManager(clock, logger, config);
}
