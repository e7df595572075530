import type { Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { OperationKey, VolumeOperations } from './volume-operations.js';

/**
 * Sets up mounted volumes again in the background of pod syncs, to refresh their contents. Syncs during a run, or
 * during the pause after a failure, cause one more run with the newest pod: a hung volume costs a pod with many syncs
 * nothing. Source: kubernetes v1.36 MarkRemountRequired, pkg/kubelet/volumemanager/cache.
 */
export class VolumeRefresher {
  private readonly newest = new Map<string, Pod>();

  constructor(
    private readonly operations: VolumeOperations,
    private readonly stopping: AbortSignal,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns at once. `id` names the volume of the pod. `setUpAgain` reports its own failures and rejects; it is then retried with growing pauses. It must
   * do nothing for a volume that is no longer mounted.
   */
  refresh(id: string, key: OperationKey, pod: Pod, setUpAgain: (pod: Pod) => Promise<void>): void {
    const isRunning = this.newest.has(id);
    this.newest.set(id, pod);
    if (isRunning) return;
    this.run(id, key, setUpAgain).catch((error: unknown) => {
      // Only stop() ends a refresh this way: the operation itself reports each failure.
      this.logger.debug(4, 'refresh of a volume was cancelled', { volume: key.volume, error });
    });
  }

  private async run(id: string, key: OperationKey, setUpAgain: (pod: Pod) => Promise<void>): Promise<void> {
    let done: Pod | undefined;
    const task = async (): Promise<void> => {
      done = this.newest.get(id);
      if (done !== undefined) await setUpAgain(done);
    };
    try {
      do await this.operations.runUntilDone('mount', key, task, this.stopping);
      while (done !== this.newest.get(id));
    } finally {
      this.newest.delete(id);
    }
  }
}
