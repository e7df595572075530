import { CLOCK, needs, type Needs } from '@podwright/assembly-interface';
import { WorkQueue } from '@podwright/concurrency';
import type { PodWorkQueue } from '@podwright/pod-workers-interface';

export const podWorkQueueNeeds = needs({
  clock: CLOCK,
});

/**
 * {@link PodWorkQueue} on one timer: reports a pod when it is due, not at the next tick. No timer runs without a
 * watcher.
 */
export class TimedWorkQueue implements PodWorkQueue {
  private readonly queue: WorkQueue<string>;

  constructor(deps: Needs<typeof podWorkQueueNeeds>) {
    // Never reached: entries are pod UIDs with a worker, which the node's pod limit bounds.
    this.queue = new WorkQueue({ clock: deps.clock, maxKeys: 100_000 });
  }

  enqueue(podUid: string, delayMs: number): void {
    this.queue.enqueue(podUid, delayMs);
  }

  watch(listener: (podUid: string) => void): () => void {
    return this.queue.watch(listener);
  }
}
