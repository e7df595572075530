import { CLOCK, LOGGER, METRICS, decodeOptions } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { abortable, Gate, KeyedLanes, withDeadline } from '@podwright/concurrency';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import type { ContainerRuntime, RuntimePod } from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Pleg, PodLifecycleEvent, RelistControl, RelistOptions } from '@podwright/pleg-interface';
import { POD_CACHE_WRITER } from '@podwright/pod-cache-interface';
import type { PodCacheWriter } from '@podwright/pod-cache-interface';
import { formatGoDuration } from '@podwright/time';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { diffPods, looksSame } from './diff-pods.js';
import type { RecordChange } from './diff-pods.js';
import { GENERIC_PLEG_CONFIG, genericPlegConfigSchema } from './generic-pleg-config.js';
import type { GenericPlegConfig } from './generic-pleg-config.js';
import { PodInspector } from './pod-inspector.js';
import { newPodRecord } from './pod-record.js';
import type { PodRecord } from './pod-record.js';
import { RelistMetrics } from './relist-metrics.js';

// The least by which every clock shows a later time.
const lookDelayMs = 1;

/** {@link Pleg} that lists every pod each period, compares with the previous list and inspects what has changed. */
@injectable()
export class GenericPleg implements Pleg, RelistControl {
  private readonly listeners = new Set<(event: PodLifecycleEvent) => void>();
  private readonly records = new Map<string, PodRecord>();
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly metrics: RelistMetrics;
  private readonly inspector: PodInspector;
  private readonly looks: KeyedLanes<string, number>;
  private readonly lookGate: Gate;
  private loop: Promise<void> | undefined;
  // Numbers each request and list call, because the order of calls counts and clocks may show one time for several.
  private sequence = 0;
  private relistInFlight = 0;
  private lastRelist: { readonly sequence: number; readonly atMs: number; readonly wallMs: number } | undefined;
  // Pods looked at on demand after the relist in flight was sent: they are newer than what it will answer.
  private readonly lookedMeanwhile = new Set<string>();

  constructor(
    @inject(CONTAINER_RUNTIME) private readonly runtime: ContainerRuntime,
    @inject(POD_CACHE_WRITER) private readonly cache: PodCacheWriter,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(GENERIC_PLEG_CONFIG) private readonly config: GenericPlegConfig,
  ) {
    this.logger = logger.with({ logger: 'pleg' });
    this.metrics = new RelistMetrics(metrics);
    const onInspected = this.deliver.bind(this);
    this.inspector = new PodInspector({ runtime, cache, clock, logger: this.logger, onInspected }, config);
    this.lookGate = new Gate({ places: config.parallelInspections });
    this.looks = new KeyedLanes({
      run: (podUid, requestedIn, signal) => this.lookGate.run(() => this.look(podUid, requestedIn, signal), { signal }),
      onError: (podUid, error) => {
        if (!this.stopping.signal.aborted) this.logger.warn('pod could not be looked at on demand', { podUid, error });
      },
      maxLanes: config.onDemandQueue,
    });
  }

  // A runtime that is down is not a start failure: the node must come up and report NotReady.
  async start(): Promise<void> {
    this.loop ??= this.clock.every(this.config.relistPeriodMs, () => this.relist(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('pleg is stopping', { code: 'cancelled' }));
    await Promise.all([this.loop, this.looks.stop(), this.inspector.stop()]);
  }

  watch(listener: (event: PodLifecycleEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  healthy(): Health {
    if (this.lastRelist === undefined) return { ok: false, reason: 'pleg has yet to be successful' };
    const ageMs = this.clock.monotonic() - this.lastRelist.atMs;
    const thresholdMs = this.config.relistThresholdMs;
    this.metrics.lastSeen.set(Math.floor(this.lastRelist.wallMs / 1000));
    if (ageMs <= thresholdMs) return { ok: true };
    const reason = `pleg was last seen active ${formatGoDuration(ageMs)} ago; threshold is ${formatGoDuration(thresholdMs)}`;
    return { ok: false, reason };
  }

  requestRelist(podUid: string, { inspect = false }: RelistOptions = {}): void {
    const known = this.records.get(podUid);
    if (inspect && known !== undefined) known.reinspect = true;
    // Before the start the first relist will tell all; a full queue is a runtime that is behind, the next relist helps.
    if (this.loop === undefined) return;
    if (this.looks.size < this.config.onDemandQueue || this.looks.isBusy(podUid))
      this.looks.submit(podUid, ++this.sequence);
    else this.logger.debug(2, 'look on demand left to the next relist', { podUid });
  }

  private async relist(): Promise<void> {
    // Stamped before the call: a runtime that answers slowly must age the health check.
    const atMs = this.clock.monotonic();
    const wallMs = this.clock.now();
    if (this.lastRelist !== undefined) this.metrics.relistInterval.observe((atMs - this.lastRelist.atMs) / 1000);
    const sequence = (this.relistInFlight = ++this.sequence);
    try {
      const pods = await abortable(
        this.runtime.getPods({ all: true, signal: this.stopping.signal }),
        this.stopping.signal,
      );
      this.lastRelist = { sequence, atMs, wallMs };
      this.metrics.count(pods);
      this.takeList(pods, sequence, atMs);
      this.cache.advance(atMs, this.inspector.pending);
    } catch (error) {
      if (!this.stopping.signal.aborted) this.logger.error('relist failed, retrying next period', { error });
    } finally {
      this.relistInFlight = 0;
      this.lookedMeanwhile.clear();
      this.metrics.relistDuration.observe((this.clock.monotonic() - atMs) / 1000);
    }
  }

  private takeList(pods: readonly RuntimePod[], sequence: number, atMs: number): void {
    let seen = 0;
    for (const pod of pods) {
      if (this.lookedMeanwhile.has(pod.uid)) continue;
      this.takePod(pod, sequence, atMs);
      seen++;
    }
    if (seen === this.records.size) return;
    for (const record of this.records.values()) {
      if (record.seenIn !== sequence && !this.lookedMeanwhile.has(record.uid)) this.forget(record);
    }
  }

  private takePod(pod: RuntimePod, sequence: number, atMs: number): PodRecord {
    let record = this.records.get(pod.uid);
    if (record === undefined) this.records.set(pod.uid, (record = newPodRecord(pod)));
    else if (!looksSame(record.current, pod)) record.current = pod;
    record.seenIn = sequence;
    record.listedAtMs = atMs;
    if (record.current !== record.inspected || record.reinspect) this.inspector.submit(record);
    return record;
  }

  private forget(record: PodRecord): void {
    this.records.delete(record.uid);
    this.inspector.drop(record);
    this.cache.delete(record.uid);
    this.deliver(record, diffPods(record.inspected, undefined), false);
  }

  private async look(podUid: string, requestedIn: number, signal: AbortSignal): Promise<void> {
    // Whoever asks notes the end of its work just after asking, and waits for something seen later than that.
    await this.clock.sleep(lookDelayMs, signal);
    // A relist sent after the request tells as much, and one of all pods costs no more than a few of one.
    if (Math.max(this.lastRelist?.sequence ?? 0, this.relistInFlight) > requestedIn) return;
    const atMs = this.clock.monotonic();
    const sequence = ++this.sequence;
    const list = (deadline: AbortSignal): Promise<readonly RuntimePod[]> =>
      this.runtime.getPods({ all: true, podUid, signal: deadline });
    const pods = await withDeadline(this.clock, this.config.inspectionTimeoutMs, list, signal);
    this.metrics.podRelistDuration.observe((this.clock.monotonic() - atMs) / 1000);
    // A relist that was sent later has been answered first: what it said is newer.
    if ((this.lastRelist?.sequence ?? 0) > sequence) return;
    if (sequence > this.relistInFlight && this.relistInFlight > 0) this.lookedMeanwhile.add(podUid);
    const pod = pods.find(({ uid }) => uid === podUid);
    const known = this.records.get(podUid);
    if (pod !== undefined) this.takePod(pod, sequence, atMs);
    else if (known !== undefined) this.forget(known);
    if (!this.inspector.pending.has(podUid)) this.cache.confirm(podUid, atMs);
  }

  /** Tells a pod's changes; a pod read again after a failure, with nothing to tell, gets one PodSync. */
  private deliver(record: PodRecord, changes: readonly RecordChange[], wasDue: boolean): void {
    if (changes.length === 0 && wasDue) this.emit({ type: 'PodSync', podUid: record.uid });
    for (const { type, containerId } of changes) {
      if (type !== 'ContainerChanged') this.emit({ type, podUid: record.uid, containerId });
    }
  }

  private emit(event: PodLifecycleEvent): void {
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        this.metrics.discardedEvents.increment();
        this.logger.error('listener of pleg events failed', { event: event.type, podUid: event.podUid, error });
      }
    }
  }
}

export interface GenericPlegDeps {
  readonly runtime: ContainerRuntime;
  readonly cache: PodCacheWriter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createGenericPleg(deps: GenericPlegDeps, options: Partial<GenericPlegConfig> = {}): GenericPleg {
  const config = decodeOptions('pleg', genericPlegConfigSchema, options);
  return new GenericPleg(deps.runtime, deps.cache, deps.clock, deps.logger, deps.metrics, config);
}
