import { stat } from 'node:fs/promises';
import path from 'node:path';
import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import type { CgroupManager } from '@podwright/cgroup-interface';
import { podQosClass, podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { cgroupMountPoints, pidsBelow, removeTree, subdirectories } from './cgroup-hierarchies.js';
import { cgroupName, podUidOf } from './cgroup-name.js';
import { CGROUPFS_CONFIG, type CgroupfsConfig } from './cgroupfs-config.js';

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
    const qos = (pod.status?.qosClass as Tier | undefined) ?? podQosClass(pod);
    return this.podPath(qos, podUid(pod));
  }

  // The runtime makes the cgroup together with the sandbox, so it can never be missing under running containers.
  async exists(): Promise<boolean> {
    return true;
  }

  async ensureExists(): Promise<void> {}

  async remove(uid: string): Promise<void> {
    for (const directory of await this.directoriesOf(uid)) await this.removeWithProcesses(directory);
  }

  async listPodUids(): Promise<readonly string[]> {
    const uids = new Set<string>();
    for (const mountPoint of this.mountPoints) {
      for (const tier of tiers) {
        for (const directory of await subdirectories(path.join(mountPoint, this.tierPath(tier)))) {
          const uid = podUidOf(this.config.cgroupDriver, directory);
          if (uid !== undefined) uids.add(uid);
        }
      }
    }
    return [...uids];
  }

  // Processes that outlived their container (a hung shim's children) would keep the cgroup; upstream tries 5 times.
  private async removeWithProcesses(directory: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const pids = await pidsBelow(directory);
      for (const pid of pids) killQuietly(pid);
      if (pids.length > 0) this.logger.info('Killed processes left in a pod cgroup', { directory, pids });
      try {
        return await removeTree(directory);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || attempt === 5) throw error;
        await this.clock.sleep(10 * attempt);
      }
    }
  }

  private async directoriesOf(uid: string): Promise<readonly string[]> {
    const candidates = this.mountPoints.flatMap((mountPoint) => tiers.map((tier) => path.join(mountPoint, this.podPath(tier, uid))));
    const present = await Promise.all(candidates.map((candidate) => stat(candidate).then(() => true, () => false)));
    return candidates.filter((_, index) => present[index]);
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
