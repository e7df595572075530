import { Gate, withDeadline } from '@podwright/concurrency';
import type { ContainerRuntime, RuntimePod, RuntimePodStatus } from '@podwright/container-runtime-interface';
import { PodSandboxState } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { PodCacheWriter } from '@podwright/pod-cache-interface';
import type { Clock } from '@podwright/time';
import { diffPods } from './diff-pods.js';
import type { RecordChange } from './diff-pods.js';
import type { PodRecord } from './pod-record.js';

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
  /** Called after the cache was written. `wasDue` tells that the inspection was a repetition after a failure. */
  readonly onInspected: (record: PodRecord, changes: readonly RecordChange[], wasDue: boolean) => void;
  /** The inspection failed and was logged; it is repeated with the next look. */
  readonly onFailed: (podUid: string) => void;
}

/**
 * Brings the pod cache up to what a look at the runtime showed: one inspection at a time per pod, a few at a time
 * altogether. An inspection that hangs gives its place to others and keeps only its own pod from being fresh.
 */
export class PodInspector {
  /** Pods whose inspection is due, under way or failed; the cache's time does not advance for them. */
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

  /** Has `record.current` inspected when it needs to be and is not being already. Never throws. */
  submit(record: PodRecord): void {
    if (!isDue(record)) return;
    this.pending.add(record.uid);
    if (this.running.has(record) || this.stopped) return;
    this.running.set(record, this.inspectUntilCurrent(record));
  }

  /** Ends the work for a pod that has left the runtime. */
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
    await Promise.resolve(); // so that submit() has filed this promise before it can end
    let ok = true;
    // A failed one waits for the next relist: a runtime in trouble must not be asked in a tight loop.
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
        // Read only now: the lists may have shown something newer while this pod was waiting for its place.
        inspected = record.current;
        observedAtMs = record.listedAtMs;
        const status = await this.ask(inspected, signal);
        if (record.over.signal.aborted) return false;
        this.accept(record, inspected, withPreservedIps(status, record), observedAtMs);
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

  private accept(record: PodRecord, inspected: RuntimePod, status: RuntimePodStatus, observedAtMs: number): void {
    const changes = diffPods(record.inspected, inspected);
    const wasDue = record.reinspect;
    record.inspected = inspected;
    record.reinspect = false;
    record.ips = status.ips;
    this.deps.cache.set(record.uid, { status }, observedAtMs);
    this.deps.onInspected(record, changes, wasDue);
  }
}

/** Settles looks that differ in nothing that matters, so that the next comparison is one of identity. */
function isDue(record: PodRecord): boolean {
  if (record.reinspect) return true;
  if (record.current === record.inspected) return false;
  if (diffPods(record.inspected, record.current).length > 0) return true;
  record.inspected = record.current;
  return false;
}

/** A pod that has lost its sandbox keeps its IPs: its status would otherwise lose them while it restarts or ends. */
function withPreservedIps(status: RuntimePodStatus, record: PodRecord): RuntimePodStatus {
  if (status.ips.length > 0 || record.ips.length === 0) return status;
  const anyReady = status.sandboxes.some(({ state }) => state === PodSandboxState.SANDBOX_READY);
  return anyReady ? status : { ...status, ips: record.ips };
}
