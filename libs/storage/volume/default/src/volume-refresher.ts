import type { Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { VolumeOperations } from './volume-operations.js';

/**
 * Sets mounted volumes up again beside the syncs of their pods, so that their contents stay fresh. Syncs that come while
 * that runs, or pauses after a failure, make one more run with the newest pod, not one each: a volume that hangs costs
 * a pod with many syncs nothing. Source: kubernetes v1.36 MarkRemountRequired, pkg/kubelet/volumemanager/cache.
 */
export class VolumeRefresher {
  private readonly newest = new Map<string, Pod>();

  constructor(
    private readonly operations: VolumeOperations,
    private readonly stopping: AbortSignal,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns at once. `setUpAgain` reports its own failures and rejects, then it is tried again with growing pauses; it must
   * do nothing for a volume that is mounted no more.
   */
  refresh(key: string, pod: Pod, setUpAgain: (pod: Pod) => Promise<void>): void {
    const isRunning = this.newest.has(key);
    this.newest.set(key, pod);
    if (isRunning) return;
    this.run(key, setUpAgain).catch((error: unknown) => {
      // The stop alone ends it like this: each failure has been told by the operation itself.
      this.logger.debug(4, 'refresh of a volume was cancelled', { volume: key, error });
    });
  }

  private async run(key: string, setUpAgain: (pod: Pod) => Promise<void>): Promise<void> {
    let done: Pod | undefined;
    const task = async (): Promise<void> => {
      done = this.newest.get(key);
      if (done !== undefined) await setUpAgain(done);
    };
    try {
      do await this.operations.runUntilDone('mount', key, task, this.stopping);
      while (done !== this.newest.get(key));
    } finally {
      this.newest.delete(key);
    }
  }
}
