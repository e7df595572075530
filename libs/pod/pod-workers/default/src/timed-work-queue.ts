import { CLOCK, needs, type Needs } from '@podwright/assembly-interface';
import { WorkQueue } from '@podwright/concurrency';
import type { PodWorkQueue } from '@podwright/pod-workers-interface';

export const podWorkQueueNeeds = needs({
  clock: CLOCK,
});

// Never reached: entries are pod UIDs with a worker, which the node's pod limit bounds.
const maxKeys = 100_000;

/** {@link PodWorkQueue} on timers: reports a pod when it is due, not at the next tick. No timer runs without a watcher. */
export class TimedWorkQueue implements PodWorkQueue {
  private readonly afterSync: WorkQueue<string>;
  private readonly asked: WorkQueue<string>;

  constructor({ clock }: Needs<typeof podWorkQueueNeeds>) {
    this.afterSync = new WorkQueue({ clock, maxKeys });
    this.asked = new WorkQueue({ clock, maxKeys });
  }

  requeue(podUid: string, delayMs: number): void {
    this.afterSync.delete(podUid);
    this.afterSync.enqueue(podUid, delayMs);
  }

  enqueue(podUid: string, delayMs: number): void {
    this.asked.enqueue(podUid, delayMs);
  }

  watch(listener: (podUid: string) => void): () => void {
    const unwatch = [this.afterSync, this.asked].map((queue) => queue.watch(listener));
    return () => unwatch.forEach((end) => end());
  }
}
