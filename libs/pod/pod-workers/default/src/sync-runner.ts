import { messageOf } from '@podwright/errors';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Pod } from '@podwright/kube-types';
import type { RelistControl } from '@podwright/pleg-interface';
import type { PodCache } from '@podwright/pod-cache-interface';
import type { PodSyncer } from '@podwright/pod-sync-interface';
import type { PodWorkState } from '@podwright/pod-workers-interface';
import { onAbort } from '@podwright/time';
import type { PodRecord, PodWork } from './pod-record.js';
import type { PodWorkerMetrics } from './pod-worker-metrics.js';

/** Outcome of one call of a syncer; `synced` is false when it did not begin: no status, or cancelled before. */
export type SyncOutcome =
  { readonly synced: true; readonly terminal: boolean } | { readonly synced: boolean; readonly error: unknown };

/** Calls the sync that the state of a pod asks for, with a status that is newer than the previous sync. */
export class SyncRunner {
  constructor(
    private readonly syncer: PodSyncer,
    private readonly cache: PodCache,
    private readonly events: EventRecorder,
    private readonly metrics: PodWorkerMetrics,
    private readonly relist: RelistControl | undefined,
  ) {}

  /** Never rejects. `cancel` is the update's signal, `stop` the node's. */
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
      // Waiting is not cancelled by an update: the next sync would have to wait for the same status.
      const newer = this.cache.getNewerThan(record.uid, record.lastSyncEndMs ?? Number.NEGATIVE_INFINITY, stop);
      status = await this.hurried(record, work, newer, state !== 'sync', cancel);
    } catch (error) {
      if (!stop.aborted)
        this.events.event(
          { kind: 'Pod', pod },
          'Warning',
          'FailedSync',
          `error determining status: ${messageOf(error)}`,
        );
      return { synced: false, error };
    }
    // Nothing was done yet, so the sync that comes instead may use this status and need not wait for the next.
    if (cancel.aborted && state !== 'terminating') return { synced: false, error: cancel.reason };
    try {
      return { synced: true, terminal: await this.sync(record, work, pod, state, status, cancel) };
    } catch (error) {
      return { synced: true, error };
    }
  }

  // Somebody waits for a pod that is to end to be gone; what changes in one that is to run may wait for the next relist.
  private async hurried(
    { uid, settledAtMs }: PodRecord,
    { type }: PodWork,
    status: Promise<RuntimePodStatus>,
    ending: boolean,
    cancel: AbortSignal,
  ): Promise<RuntimePodStatus> {
    const ask = (): void => this.relist?.requestRelist(uid);
    let known = false;
    const settled = (): void => void (known = true);
    void status.then(settled, settled);
    await Promise.resolve();
    await Promise.resolve();
    if (known) return status;
    if (ending) ask();
    else {
      const isRoutine = type === 'sync' && settledAtMs !== undefined;
      this.relist?.requestRelist(uid, { patient: true, ...(isRoutine && { settledAtMs }) });
    }
    // A sync is cancelled for nothing but an end.
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
      await this.syncer.syncTerminatingRuntimePod(runningPod);
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
        await this.syncer.syncTerminatedPod(pod, status, cancel);
        return false;
      case 'terminating': {
        record.observedTermination = true;
        const { gracePeriodSeconds } = work;
        const { overrideStatus } = record;
        await this.syncer.syncTerminatingPod({
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
        const outcome = await this.syncer.syncPod(
          { updateType, pod, status, ...(mirrorPod !== undefined && { mirrorPod }) },
          cancel,
        );
        return outcome.terminal;
      }
    }
  }
}
