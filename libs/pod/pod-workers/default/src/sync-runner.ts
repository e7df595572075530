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
      status = await this.newestStatus(record, work, state !== 'sync', { cancel, stop });
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

  // Requests a relist at once for a pod under termination, which others wait for, for a changed pod and for one whose
  // sync failed. What the pleg reports is mostly in the status of the last sync already, so it may wait for the next
  // relist.
  private async newestStatus(
    { uid, settledAtMs, lastSyncEndMs: newerThanMs = Number.NEGATIVE_INFINITY }: PodRecord,
    { type }: PodWork,
    ending: boolean,
    { cancel, stop }: { readonly cancel: AbortSignal; readonly stop: AbortSignal },
  ): Promise<RuntimePodStatus> {
    const { relist, vouching } = this.deps;
    // An update does not cancel the wait: the next sync would have to wait for the same status.
    const status = this.deps.cache.getNewerThan(uid, newerThanMs, stop);
    const ask = (): void => relist?.requestRelist(uid, { newerThanMs });
    let known = false;
    const settled = (): void => void (known = true);
    void status.then(settled, settled);
    await Promise.resolve();
    await Promise.resolve();
    if (known) return status;
    if (ending) ask();
    else {
      const patient = type === 'sync' && settledAtMs !== undefined;
      if (!patient || vouching?.vouch(uid, settledAtMs) !== true) relist?.requestRelist(uid, { patient, newerThanMs });
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
