import path from 'node:path';
import type { CgroupStats } from '@podwright/cgroup-stats-interface';
import type { PodStatus } from '@podwright/kube-types';
import { allStatuses } from '../pods/pod-row.js';

// Finding a cgroup lists all of them.
const retryAfterMs = 3_000;

/** Where the cgroups of pods are. */
export class PodCgroups {
  private readonly known = new Map<string, string>();
  private readonly missingSince = new Map<string, number>();

  constructor(private readonly cgroups: Pick<CgroupStats, 'containerPath' | 'roots'>) {}

  /** Undefined for a pod without a running container, and for one that has no cgroup of its own. */
  async find(uid: string, status: PodStatus | undefined, nowMs: number): Promise<string | undefined> {
    const known = this.known.get(uid);
    if (known !== undefined) return known;
    const containerId = runningContainerId(status);
    if (containerId === undefined || nowMs - (this.missingSince.get(uid) ?? -Infinity) < retryAfterMs) return undefined;
    const container = await this.cgroups.containerPath(containerId);
    const parent = container === undefined ? '/' : path.posix.dirname(container);
    // Without cgroups of pods, containers are directly below the root.
    if (parent === '/' || parent === this.cgroups.roots().pods) {
      this.missingSince.set(uid, nowMs);
      return undefined;
    }
    this.missingSince.delete(uid);
    this.known.set(uid, parent);
    return parent;
  }

  /** It is not there any more, or another one is. */
  forget(uid: string): void {
    this.known.delete(uid);
  }

  /** Forgets all others. */
  keep(uids: ReadonlySet<string>): void {
    for (const map of [this.known, this.missingSince]) {
      for (const uid of map.keys()) if (!uids.has(uid)) map.delete(uid);
    }
  }
}

/** Bare CRI id. */
export function runningContainerId(status: PodStatus | undefined): string | undefined {
  const running = allStatuses(status).find(({ state, containerID }) => state?.running && containerID !== undefined);
  return running?.containerID?.replace(/^[^:]+:\/\//, '');
}
