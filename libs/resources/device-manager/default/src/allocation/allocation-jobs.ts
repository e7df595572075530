import { abortable } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';

interface PodJobs {
  readonly aborting: AbortController;
  tail: Promise<unknown>;
  /** Admission stopped waiting for one container of the pod; it does not wait for the containers behind it either. */
  late: boolean;
  running: number;
}

/**
 * Allocations in progress: one after another within a pod, in parallel across pods. A plugin that does not answer
 * blocks only its own pod.
 */
export class AllocationJobs {
  private readonly pods = new Map<string, PodJobs>();
  private readonly jobs = new Map<string, Promise<void>>();

  constructor(private readonly clock: Clock) {}

  /** Starts the work, or joins the work already in progress for the same container. Rejects as the work does. */
  begin(podUid: string, container: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const key = containerKey(podUid, container);
    const known = this.jobs.get(key);
    if (known !== undefined) return known;
    const pod = this.pods.get(podUid) ?? {
      aborting: new AbortController(),
      tail: Promise.resolve(),
      late: false,
      running: 0,
    };
    this.pods.set(podUid, pod);
    pod.running += 1;
    const { signal } = pod.aborting;
    const job = pod.tail
      .then(() => abortable(work(signal), signal))
      .finally(() => {
        this.jobs.delete(key);
        pod.running -= 1;
        if (pod.running === 0) this.pods.delete(podUid);
      });
    // A failure must not fail the pod's next container, and a job may end when nothing awaits it.
    pod.tail = job.catch(() => undefined);
    this.jobs.set(key, job);
    return job;
  }

  ofContainer(podUid: string, container: string): Promise<void> | undefined {
    return this.jobs.get(containerKey(podUid, container));
  }

  /** As `settled`, but the pod's containers share the patience: after one has used it up, the others get 1 ms. */
  async settledForPod(podUid: string, job: Promise<void>, patienceMs: number): Promise<boolean> {
    const pod = this.pods.get(podUid);
    const ended = await this.settled(job, pod?.late === true ? 1 : patienceMs);
    if (pod !== undefined && !ended) pod.late = true;
    return ended;
  }

  /**
   * Waits at most `patienceMs` for the job. Resolves to true when the job has ended; otherwise the job continues and
   * `ofContainer` returns it.
   */
  async settled(job: Promise<void>, patienceMs: number): Promise<boolean> {
    const deadline = this.clock.deadline(patienceMs);
    try {
      await abortable(job, deadline.signal);
      return true;
    } catch (error) {
      if (!deadline.signal.aborted) throw error;
      return false;
    } finally {
      deadline.dispose();
    }
  }

  /** UIDs of pods with work in progress. */
  podUids(): readonly string[] {
    return [...this.pods.keys()];
  }

  abort(podUid: string, reason: string): void {
    this.pods.get(podUid)?.aborting.abort(new KubeletError(reason, { code: 'cancelled' }));
  }

  async stop(): Promise<void> {
    for (const podUid of this.podUids()) this.abort(podUid, 'the device manager is stopping');
    await Promise.all([...this.pods.values()].map(({ tail }) => tail));
  }
}

const containerKey = (podUid: string, container: string): string => `${podUid}/${container}`;
