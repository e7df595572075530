import { Gate, withDeadline } from '@podwright/concurrency';
import type { ContainerRuntime, RuntimePod, RuntimePodStatus } from '@podwright/container-runtime-interface';
import { PodSandboxState } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Journal } from '@podwright/journal-interface';
import type { Logger } from '@podwright/logging';
import type { PodCacheWriter } from '@podwright/pod-cache-interface';
import type { Clock } from '@podwright/time';
import { diffPods } from './diff-pods.js';
import type { RecordChange } from './diff-pods.js';
import type { PodRecord } from './pod-record.js';
import { reportExits } from './report-exits.js';

export interface PodInspectorOptions {
  readonly parallelInspections: number;
  readonly inspectionTimeoutMs: number;
  readonly slowInspectionMs: number;
}

export interface PodInspectorDeps {
  readonly runtime: ContainerRuntime;
  readonly cache: PodCacheWriter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal: Journal | undefined;
  /** Called after the cache was written. `wasDue`: the inspection repeated a failed one. */
  readonly onInspected: (record: PodRecord, changes: readonly RecordChange[], wasDue: boolean) => void;
  /** Called when an inspection failed, after it was logged; the next relist repeats it. */
  readonly onFailed: (podUid: string) => void;
}

/**
 * Updates the pod cache after a relist: one inspection at a time per pod, a few at a time in total. An inspection that
 * hangs gives its slot to others and delays only its own pod.
 */
export class PodInspector {
  /** Pods whose inspection is queued, running or failed; the cache's time does not advance for them. */
  readonly pending = new Set<string>();
  private readonly gate: Gate;
  private readonly running = new Map<PodRecord, Promise<void>>();
  private stopped = false;

  constructor(
    private readonly deps: PodInspectorDeps,
    private readonly options: PodInspectorOptions,
  ) {
    this.gate = new Gate({ places: options.parallelInspections });
  }

  /** Inspects `record.current` when it changed, unless an inspection of the pod already runs. Never throws. */
  submit(record: PodRecord): void {
    if (!isDue(record)) return;
    this.pending.add(record.uid);
    if (this.running.has(record) || this.stopped) return;
    this.running.set(record, this.inspectUntilCurrent(record));
  }

  /** Cancels the work for a pod that is no longer in the runtime. */
  drop(record: PodRecord): void {
    record.over.abort(new KubeletError(`pod ${record.uid} is gone from the runtime`, { code: 'cancelled' }));
    this.pending.delete(record.uid);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    const reason = new KubeletError('pod-relist is stopping', { code: 'cancelled' });
    for (const record of this.running.keys()) record.over.abort(reason);
    await Promise.all(this.running.values());
  }

  private async inspectUntilCurrent(record: PodRecord): Promise<void> {
    await Promise.resolve(); // lets submit() store this promise before it can settle
    let ok = true;
    // A failed inspection waits for the next relist: a runtime in trouble must not get calls in a tight loop.
    while (ok && isDue(record) && !record.over.signal.aborted) ok = await this.inspect(record);
    this.running.delete(record);
    if (ok && !record.over.signal.aborted) this.pending.delete(record.uid);
  }

  private async inspect(record: PodRecord): Promise<boolean> {
    const { signal } = record.over;
    let inspected = record.current;
    let observedAtMs = record.listedAtMs;
    try {
      const leave = await this.gate.enter({ signal });
      const slow = this.deps.clock.setTimer(this.options.slowInspectionMs, leave);
      try {
        // Read only now: a list may have shown something newer while this pod waited for its slot.
        inspected = record.current;
        observedAtMs = record.listedAtMs;
        const wasDue = record.reinspect;
        // Whoever asks from now on gets another inspection.
        record.reinspect = false;
        const status = await this.ask(inspected, signal);
        if (record.over.signal.aborted) return false;
        this.accept(record, inspected, withPreservedIps(status, record), { observedAtMs, wasDue });
        return true;
      } finally {
        slow.cancel();
        leave();
      }
    } catch (error) {
      if (record.over.signal.aborted) return false;
      record.reinspect = true;
      this.deps.cache.set(record.uid, { error }, observedAtMs);
      this.deps.logger.error('pod could not be inspected, its events wait', {
        podUid: record.uid,
        pod: inspected.name,
        error,
      });
      this.deps.onFailed(record.uid);
      return false;
    }
  }

  private ask(known: RuntimePod, signal: AbortSignal): Promise<RuntimePodStatus> {
    const { uid, name, namespace } = known;
    return withDeadline(
      this.deps.clock,
      this.options.inspectionTimeoutMs,
      (deadline) => this.deps.runtime.getPodStatus({ uid, name, namespace }, known, deadline),
      signal,
    );
  }

  private accept(
    record: PodRecord,
    inspected: RuntimePod,
    status: RuntimePodStatus,
    { observedAtMs, wasDue }: { readonly observedAtMs: number; readonly wasDue: boolean },
  ): void {
    const changes = diffPods(record.inspected, inspected);
    record.inspected = inspected;
    record.ips = status.ips;
    // A list that came meanwhile and shows nothing else saw the pod like this. Nobody would look again for those who
    // wait for a status as new as that list.
    const seenAtMs = isDue(record) ? observedAtMs : record.listedAtMs;
    this.deps.cache.set(record.uid, { status }, seenAtMs);
    reportExits(this.deps.journal, status, changes);
    this.deps.onInspected(record, changes, wasDue);
  }
}

/**
 * True when the pod needs an inspection. Stores a relist without relevant changes, so that the next comparison is one
 * of identity.
 */
function isDue(record: PodRecord): boolean {
  if (record.reinspect) return true;
  if (record.current === record.inspected) return false;
  if (diffPods(record.inspected, record.current).length > 0) return true;
  record.inspected = record.current;
  return false;
}

/** A pod without a ready sandbox keeps its IPs, so that its status does not lose them while it restarts or ends. */
function withPreservedIps(status: RuntimePodStatus, record: PodRecord): RuntimePodStatus {
  if (status.ips.length > 0 || record.ips.length === 0) return status;
  const anyReady = status.sandboxes.some(({ state }) => state === PodSandboxState.SANDBOX_READY);
  return anyReady ? status : { ...status, ips: record.ips };
}
