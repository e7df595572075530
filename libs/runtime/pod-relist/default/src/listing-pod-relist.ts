import { CLOCK, LOGGER, METRICS, decodeOptions } from '@podwright/assembly-interface';
import { abortable, Gate, KeyedLanes, withDeadline } from '@podwright/concurrency';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import type { ContainerRuntime, RuntimePod } from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { PodLifecycleEvent, RelistOptions } from '@podwright/pleg-interface';
import { POD_CACHE_WRITER } from '@podwright/pod-cache-interface';
import type { PodCacheWriter } from '@podwright/pod-cache-interface';
import type { PodRelist } from '@podwright/pod-relist-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { diffPods, looksSame } from './diff-pods.js';
import type { RecordChange } from './diff-pods.js';
import { DueLooks } from './due-looks.js';
import type { Requests } from './due-looks.js';
import { LISTING_POD_RELIST_CONFIG, listingPodRelistConfigSchema } from './listing-pod-relist-config.js';
import type { ListingPodRelistConfig } from './listing-pod-relist-config.js';
import { PodInspector } from './pod-inspector.js';
import { newPodRecord } from './pod-record.js';
import type { PodRecord } from './pod-record.js';
import { RelistMetrics } from './relist-metrics.js';

// A list of all pods costs no more than two of one while it has at most so many pods for each that is asked for: the runtime
// goes through all of them for either.
const podsPerRequest = 20;

/** {@link PodRelist} that lists pods, compares with the previous list and inspects what has changed. */
@injectable()
export class ListingPodRelist implements PodRelist {
  private readonly listeners = new Set<(event: PodLifecycleEvent) => void>();
  private readonly failureListeners = new Set<(podUid: string) => void>();
  private readonly records = new Map<string, PodRecord>();
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly metrics: RelistMetrics;
  private readonly inspector: PodInspector;
  private readonly looks: KeyedLanes<string, number>;
  private readonly lookGate: Gate;
  private readonly due: DueLooks;
  // Numbers each request and list call, because the order of calls counts and clocks may show one time for several.
  private sequence = 0;
  private relistInFlight: { readonly sequence: number; readonly done: Promise<void> } | undefined;
  private lastRelist: { readonly sequence: number; readonly atMs: number } | undefined;
  // Pods looked at on demand after the relist in flight was sent: they are newer than what it will answer.
  private readonly lookedMeanwhile = new Set<string>();

  constructor(
    @inject(CONTAINER_RUNTIME) private readonly runtime: ContainerRuntime,
    @inject(POD_CACHE_WRITER) private readonly cache: PodCacheWriter,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(LISTING_POD_RELIST_CONFIG) private readonly config: ListingPodRelistConfig,
  ) {
    this.logger = logger.with({ logger: 'pod-relist' });
    this.metrics = new RelistMetrics(metrics);
    const onInspected = this.deliver.bind(this);
    const onFailed = this.tellFailure.bind(this);
    this.inspector = new PodInspector({ runtime, cache, clock, logger: this.logger, onInspected, onFailed }, config);
    this.lookGate = new Gate({ places: config.parallelInspections });
    this.looks = new KeyedLanes({
      run: (podUid, requestedIn, signal) => this.lookGate.run(() => this.look(podUid, requestedIn, signal), { signal }),
      onError: (podUid, error) => {
        if (this.stopping.signal.aborted) return;
        this.logger.warn('pod could not be looked at on demand', { podUid, error });
        this.tellFailure(podUid);
      },
      maxLanes: config.onDemandQueue,
    });
    this.due = new DueLooks(clock, (requests) => this.lookAtEach(requests));
  }

  async start(): Promise<void> {
    // The pleg decides when to look.
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('pod-relist is stopping', { code: 'cancelled' }));
    this.due.clear();
    const relist = this.relistInFlight?.done.catch(() => undefined); // whoever asked for it is told
    await Promise.all([relist, this.looks.stop(), this.inspector.stop()]);
  }

  watch(listener: (event: PodLifecycleEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  watchFailures(listener: (podUid: string) => void): () => void {
    this.failureListeners.add(listener);
    return () => this.failureListeners.delete(listener);
  }

  get unsettled(): ReadonlySet<string> {
    return this.inspector.pending;
  }

  pod(podUid: string): RuntimePod | undefined {
    return this.records.get(podUid)?.current;
  }

  pods(): readonly RuntimePod[] {
    return Array.from(this.records.values(), ({ current }) => current);
  }

  vouch(podUid: string): boolean {
    const isLookedAt = this.relistInFlight !== undefined || this.due.has(podUid) || this.looks.isBusy(podUid);
    if (isLookedAt || this.inspector.pending.has(podUid) || !this.records.has(podUid)) return false;
    this.cache.confirm(podUid, this.clock.monotonic());
    return true;
  }

  requestRelist(podUid: string, { inspect = false }: RelistOptions = {}): void {
    const known = this.records.get(podUid);
    if (inspect && known !== undefined) known.reinspect = true;
    // Before the first relist that one will tell all; a full queue is a runtime that is behind, the next relist helps.
    if (this.sequence === 0 || this.stopping.signal.aborted) return;
    const waits = this.due.has(podUid) || this.looks.isBusy(podUid);
    if (waits || this.due.size + this.looks.size < this.config.onDemandQueue) this.due.add(podUid, ++this.sequence);
    else {
      this.logger.debug(2, 'look on demand left to the next relist', { podUid });
      this.tellFailure(podUid);
    }
  }

  relist(): Promise<void> {
    if (this.relistInFlight !== undefined) return this.relistInFlight.done;
    const sequence = ++this.sequence;
    const done = this.listAll(sequence);
    this.relistInFlight = { sequence, done };
    return done;
  }

  private async listAll(sequence: number): Promise<void> {
    await Promise.resolve(); // so that relist() has filed this promise before it can end
    const { signal } = this.stopping;
    // Stamped before the call: what the answer shows may have changed since.
    const atMs = this.clock.monotonic();
    if (this.lastRelist !== undefined) this.metrics.relistInterval.observe((atMs - this.lastRelist.atMs) / 1000);
    try {
      const pods = await abortable(this.runtime.getPods({ all: true, signal }), signal);
      this.lastRelist = { sequence, atMs };
      this.metrics.count(pods);
      this.takeList(pods, sequence, atMs);
      this.cache.advance(atMs, this.inspector.pending);
    } finally {
      this.relistInFlight = undefined;
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

  private async lookAtEach(requests: Requests): Promise<void> {
    const one = requests.size > 1 && requests.size * podsPerRequest >= this.records.size;
    if (!one || this.relistInFlight !== undefined) {
      for (const [podUid, requestedIn] of requests) this.looks.submit(podUid, requestedIn);
      await Promise.all(Array.from(requests.keys(), (podUid) => this.looks.whenIdle(podUid)));
      return;
    }
    try {
      await this.relist();
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.logger.warn('pods could not be looked at on demand', { podUids: [...requests.keys()], error });
      for (const podUid of requests.keys()) this.tellFailure(podUid);
    }
  }

  private async look(podUid: string, requestedIn: number, signal: AbortSignal): Promise<void> {
    const lastRelist = (): number => this.lastRelist?.sequence ?? 0;
    // A relist sent after the request tells as much, and one of all pods costs no more than a few of one.
    if (Math.max(lastRelist(), this.relistInFlight?.sequence ?? 0) > requestedIn) return;
    const atMs = this.clock.monotonic();
    const sequence = ++this.sequence;
    const list = (deadline: AbortSignal): Promise<readonly RuntimePod[]> =>
      this.runtime.getPods({ all: true, podUid, signal: deadline });
    const pods = await withDeadline(this.clock, this.config.inspectionTimeoutMs, list, signal);
    this.metrics.podRelistDuration.observe((this.clock.monotonic() - atMs) / 1000);
    // A relist that was sent later has been answered first: what it said is newer.
    if (lastRelist() > sequence) return;
    if (this.relistInFlight !== undefined && sequence > this.relistInFlight.sequence) this.lookedMeanwhile.add(podUid);
    const pod = pods.find(({ uid }) => uid === podUid);
    const known = this.records.get(podUid);
    if (pod !== undefined) this.takePod(pod, sequence, atMs);
    else if (known !== undefined) this.forget(known);
    this.metrics.count(this.pods());
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

  private tellFailure(podUid: string): void {
    for (const listener of this.failureListeners) listener(podUid);
  }
}

export interface ListingPodRelistDeps {
  readonly runtime: ContainerRuntime;
  readonly cache: PodCacheWriter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createPodRelist(
  deps: ListingPodRelistDeps,
  options: Partial<ListingPodRelistConfig> = {},
): ListingPodRelist {
  const config = decodeOptions('pod-relist', listingPodRelistConfigSchema, options);
  return new ListingPodRelist(deps.runtime, deps.cache, deps.clock, deps.logger, deps.metrics, config);
}
