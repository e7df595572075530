import { messageOf } from '@podwright/errors';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { Pod } from '@podwright/kube-types';
import type { PodWorkState } from '@podwright/pod-workers-interface';
import { onAbort } from '@podwright/time';
import type { PodRecord, PodWork } from './pod-record.js';
import type { PodWorkerMetrics } from './pod-worker-metrics.js';
import type { PodWorkersNeeds } from './pod-workers-needs.js';

/** Outcome of one call of the syncer; `synced` is false when the call did not begin: no status, or cancelled before. */
export type SyncOutcome =
  | { readonly synced: true; readonly terminal: boolean }
  | { readonly synced: boolean; readonly error: unknown };

/** Runs the sync for the state of a pod, with a status that is newer than the previous sync. */
export class SyncRunner {
  constructor(
    private readonly deps: Pick<PodWorkersNeeds, 'syncer' | 'cache' | 'events' | 'relist' | 'vouching'>,
    private readonly metrics: PodWorkerMetrics,
  ) {}

  /** Never rejects. `cancel`: the signal of the update; `stop`: that of the node. */
  async run(
    record: PodRecord,
    work: PodWork,
    state: PodWorkState,
    cancel: AbortSignal,
    stop: AbortSignal,
  ): Promise<SyncOutcome> {
    const { pod, runningPod } = work;
    if (pod === undefined)
      return runningPod === undefined ? { synced: true, terminal: false } : this.killRuntimePod(record, runningPod);
    let status: RuntimePodStatus;
    try {
      // An update does not cancel the wait: the next sync would have to wait for the same status.
      const newer = this.deps.cache.getNewerThan(record.uid, record.lastSyncEndMs ?? Number.NEGATIVE_INFINITY, stop);
      status = await this.hurried(record, work, newer, state !== 'sync', cancel);
    } catch (error) {
      if (!stop.aborted)
        this.deps.events.event(
          { kind: 'Pod', pod },
          'Warning',
          'FailedSync',
          `error determining status: ${messageOf(error)}`,
        );
      return { synced: false, error };
    }
    // Nothing was done yet, so the next sync may use this status and need not wait for a newer one.
    if (cancel.aborted && state !== 'terminating') return { synced: false, error: cancel.reason };
    try {
      return { synced: true, terminal: await this.sync(record, work, pod, state, status, cancel) };
    } catch (error) {
      return { synced: true, error };
    }
  }

  // Requests a relist at once for a pod under termination, which others wait for; other changes may wait for the next
  // relist.
  private async hurried(
    { uid, settledAtMs }: PodRecord,
    { type }: PodWork,
    status: Promise<RuntimePodStatus>,
    ending: boolean,
    cancel: AbortSignal,
  ): Promise<RuntimePodStatus> {
    const { relist, vouching } = this.deps;
    const ask = (): void => relist?.requestRelist(uid);
    let known = false;
    const settled = (): void => void (known = true);
    void status.then(settled, settled);
    await Promise.resolve();
    await Promise.resolve();
    if (known) return status;
    if (ending) ask();
    else {
      const isKnown = type === 'sync' && settledAtMs !== undefined && vouching?.vouch(uid, settledAtMs) === true;
      if (!isKnown) relist?.requestRelist(uid, { patient: true });
    }
    // Only termination cancels a sync.
    const unsubscribe = ending ? undefined : onAbort(cancel, ask);
    try {
      return await status;
    } finally {
      unsubscribe?.();
    }
  }

  private async killRuntimePod(
    record: PodRecord,
    runningPod: NonNullable<PodWork['runningPod']>,
  ): Promise<SyncOutcome> {
    record.observedTermination = true;
    try {
      await this.deps.syncer.syncTerminatingRuntimePod(runningPod);
      return { synced: true, terminal: false };
    } catch (error) {
      return { synced: true, error };
    }
  }

  private async sync(
    record: PodRecord,
    work: PodWork,
    pod: Pod,
    state: PodWorkState,
    status: RuntimePodStatus,
    cancel: AbortSignal,
  ): Promise<boolean> {
    switch (state) {
      case 'terminated':
        await this.deps.syncer.syncTerminatedPod(pod, status, cancel);
        return false;
      case 'terminating': {
        record.observedTermination = true;
        const { gracePeriodSeconds } = work;
        const { overrideStatus } = record;
        await this.deps.syncer.syncTerminatingPod({
          pod,
          status,
          ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
          ...(overrideStatus !== undefined && { overrideStatus }),
        });
        return false;
      }
      case 'sync': {
        const updateType = work.type === 'kill' ? 'sync' : work.type;
        if (updateType === 'create') this.metrics.firstSync(pod);
        const { mirrorPod } = work;
        const outcome = await this.deps.syncer.syncPod(
          { updateType, pod, status, ...(mirrorPod !== undefined && { mirrorPod }) },
          cancel,
        );
        return outcome.terminal;
      }
    }
  }
}
