import type { Logger } from '@podwright/logging';
import { podFullName, podUid } from '@podwright/kube-types';
import type { MirrorPodClient, PodManager } from '@podwright/pod-manager-interface';
import type { HousekeepingPass, HousekeepingStep } from '@podwright/sync-loop-interface';

export interface OrphanedMirrorPodsDeps {
  readonly client: Pick<MirrorPodClient, 'delete'>;
  readonly pods: Pick<PodManager, 'getPodOfMirror'>;
  readonly logger: Logger;
}

/**
 * Deletes mirror pods whose static pod is gone. Keeps the mirror pod while the static pod's containers may still run,
 * to show that to the cluster.
 */
export class OrphanedMirrorPods implements HousekeepingStep {
  readonly stage = 'mirror-pods';
  readonly failure = 'Failed deleting orphaned mirror pods';
  /** UIDs under deletion: a server that hangs must not get another request every two seconds. */
  private readonly deleting = new Set<string>();

  constructor(private readonly deps: OrphanedMirrorPodsDeps) {}

  /** Does not wait for the deletions: the next pass retries those that failed. */
  clean({ mirrorPods, workers }: HousekeepingPass): void {
    const orphaned = mirrorPods.filter((mirrorPod) => this.deps.pods.getPodOfMirror(mirrorPod) === undefined);
    if (orphaned.length === 0) return;
    const terminating = new Set<string>();
    for (const { state, fullName } of workers.values()) if (state === 'terminating') terminating.add(fullName);
    for (const mirrorPod of orphaned) {
      const fullName = podFullName(mirrorPod);
      if (!terminating.has(fullName)) void this.delete(fullName, podUid(mirrorPod));
    }
  }

  private async delete(fullName: string, uid: string): Promise<void> {
    if (this.deleting.has(uid)) return;
    this.deleting.add(uid);
    try {
      const deleted = await this.deps.client.delete(fullName, uid);
      this.deps.logger.debug(3, 'Deleted mirror pod', { pod: fullName, deleted });
    } catch (error) {
      this.deps.logger.error('Encountered error when deleting mirror pod', { pod: fullName, error });
    } finally {
      this.deleting.delete(uid);
    }
  }
}
