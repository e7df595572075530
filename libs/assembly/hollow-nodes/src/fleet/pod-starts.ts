import { Gate } from '@podwright/concurrency';
import { podUid } from '@podwright/kube-types';
import type { PodSyncer } from '@podwright/pod-sync-interface';
import type { Clock } from '@podwright/time';

/** How many pods of all nodes start at the same time. */
const places = 64;
// A pod that waits for something else, such as its image, does not hold up the others.
const longestMs = 1_000;

/**
 * Lets few pods of a fleet start at the same time, in order of arrival. Real nodes have processors of their own, and
 * these share one thread: if thousands of pods began at once, all would ask the API server, the calls would reach their
 * deadlines before their answers are read, and all would try again for ever.
 */
export class PodStarts {
  private readonly gate = new Gate({ places, maxWaiting: Infinity });

  constructor(private readonly clock: Clock) {}

  /** The pod syncer of one node, whose pods wait for a place until they have been synced once. */
  limited(syncer: PodSyncer): PodSyncer {
    const started = new Set<string>();
    return {
      syncPod: async (context, signal) => {
        const uid = podUid(context.pod);
        if (started.has(uid)) return syncer.syncPod(context, signal);
        const leave = await this.gate.enter({ signal });
        const timer = this.clock.setTimer(longestMs, leave);
        try {
          const result = await syncer.syncPod(context, signal);
          started.add(uid);
          return result;
        } finally {
          timer.cancel();
          leave();
        }
      },
      syncTerminatingPod: (context) => syncer.syncTerminatingPod(context),
      syncTerminatingRuntimePod: (pod) => syncer.syncTerminatingRuntimePod(pod),
      syncTerminatedPod: async (pod, status, signal) => {
        await syncer.syncTerminatedPod(pod, status, signal);
        started.delete(podUid(pod));
      },
    };
  }
}
