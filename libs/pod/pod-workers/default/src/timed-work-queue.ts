import { CLOCK } from '@podwright/assembly-interface';
import { WorkQueue } from '@podwright/concurrency';
import type { PodWorkQueue } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';

/** {@link PodWorkQueue} on one timer: a pod is reported when it is due, not at the next tick. Without a watcher no timer runs. */
@injectable()
export class TimedWorkQueue implements PodWorkQueue {
  private readonly queue: WorkQueue<string>;

  constructor(@inject(CLOCK) clock: Clock) {
    // Entries are pod UIDs with a worker, so the node's pod limit bounds them long before this does.
    this.queue = new WorkQueue({ clock, maxKeys: 100_000 });
  }

  enqueue(podUid: string, delayMs: number): void {
    this.queue.enqueue(podUid, delayMs);
  }

  watch(listener: (podUid: string) => void): () => void {
    return this.queue.watch(listener);
  }
}

/** Makes one without a container. */
export function createPodWorkQueue(clock: Clock): PodWorkQueue {
  return new TimedWorkQueue(clock);
}
