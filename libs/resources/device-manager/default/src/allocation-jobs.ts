import { abortable } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';
import { containerKey } from './running-containers.js';

interface PodJobs {
  readonly aborting: AbortController;
  tail: Promise<unknown>;
  /** Admission has given up waiting for an answer; for the containers behind it there is nothing to wait for either. */
  late: boolean;
  running: number;
}

/**
 * Allocations under way: those of one pod one after another, those of several pods beside each other. A plugin that does not
 * answer keeps its pod from starting and nobody else.
 */
export class AllocationJobs {
  private readonly pods = new Map<string, PodJobs>();
  private readonly jobs = new Map<string, Promise<void>>();

  constructor(private readonly clock: Clock) {}

  /** Begins the work, or joins the same container's that is under way. Rejects as the work does. */
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
    // The next container of the pod is judged by itself; and a job may end when nobody waits for it.
    pod.tail = job.catch(() => undefined);
    this.jobs.set(key, job);
    return job;
  }

  ofContainer(podUid: string, container: string): Promise<void> | undefined {
    return this.jobs.get(containerKey(podUid, container));
  }

  /** As `settled`, once for all containers of the pod. */
  async settledForPod(podUid: string, job: Promise<void>, patienceMs: number): Promise<boolean> {
    const pod = this.pods.get(podUid);
    const ended = await this.settled(job, pod?.late === true ? 1 : patienceMs);
    if (pod !== undefined && !ended) pod.late = true;
    return ended;
  }

  /** Resolves with the job, or after `patienceMs` without: it goes on, and `ofContainer` has it. True: it has ended. */
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

  /** UIDs of pods with work under way. */
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
