import { CLOCK, LOGGER, METRICS, needs, optional, type Needs } from '@podwright/assembly-interface';
import { abortable, Gate, KeyedLanes, withDeadline } from '@podwright/concurrency';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import type { RuntimePod } from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import { JOURNAL } from '@podwright/journal-interface';
import type { Logger } from '@podwright/logging';
import type { PodLifecycleEvent, RelistOptions } from '@podwright/pleg-interface';
import { POD_CACHE_WRITER } from '@podwright/pod-cache-interface';
import type { PodRelist } from '@podwright/pod-relist-interface';
import { diffPods, sameRecords } from './diff-pods.js';
import type { RecordChange } from './diff-pods.js';
import { RelistQueue } from './relist-queue.js';
import type { Requests } from './relist-queue.js';
import type { ListingPodRelistConfig } from './listing-pod-relist-config.js';
import { PodInspector } from './pod-inspector.js';
import { newPodRecord } from './pod-record.js';
import type { PodRecord } from './pod-record.js';
import { RelistMetrics } from './relist-metrics.js';

// For each call, the runtime goes through all its pods. So when this many pods or fewer exist per request, listing all
// pods costs no more than two calls for a single one.
const podsPerRequest = 20;

export const podRelistNeeds = needs({
  runtime: CONTAINER_RUNTIME,
  cache: POD_CACHE_WRITER,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  journal: optional(JOURNAL),
});

/** {@link PodRelist} that lists pods, compares them with the previous list and inspects those that changed. */
export class ListingPodRelist implements PodRelist {
  private readonly listeners = new Set<(event: PodLifecycleEvent) => void>();
  private readonly failureListeners = new Set<(podUid: string) => void>();
  private readonly records = new Map<string, PodRecord>();
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly metrics: RelistMetrics;
  private readonly inspector: PodInspector;
  private readonly relists: KeyedLanes<string, number>;
  private readonly relistGate: Gate;
  private readonly queue: RelistQueue;
  // Numbers list calls: their order matters, and several may have the same clock time.
  private sequence = 0;
  private relistInFlight:
    | { readonly sequence: number; readonly atMs: number; readonly done: Promise<void> }
    | undefined;
  private lastRelist: { readonly sequence: number; readonly atMs: number } | undefined;
  // Pods relisted on demand after the running relist began; they are newer than its answer.
  private readonly relistedMeanwhile = new Set<string>();

  constructor(
    private readonly deps: Needs<typeof podRelistNeeds>,
    private readonly config: ListingPodRelistConfig,
  ) {
    const { runtime, cache, clock, logger, metrics, journal } = deps;
    this.logger = logger.with({ logger: 'pod-relist' });
    this.metrics = new RelistMetrics(metrics);
    const onInspected = this.deliver.bind(this);
    const onFailed = this.tellFailure.bind(this);
    const told = { journal, onInspected, onFailed };
    this.inspector = new PodInspector({ runtime, cache, clock, logger: this.logger, ...told }, config);
    this.relistGate = new Gate({ places: config.parallelInspections });
    this.relists = new KeyedLanes({
      run: (podUid, requestedAtMs, signal) =>
        this.relistGate.run(() => this.relistPod(podUid, requestedAtMs, signal), { signal }),
      onError: (podUid, error) => {
        if (this.stopping.signal.aborted) return;
        this.logger.warn('pod could not be relisted on demand', { podUid, error });
        this.tellFailure(podUid);
      },
      merge: Math.max,
      maxLanes: config.onDemandQueue,
    });
    this.queue = new RelistQueue(clock, (requests) => this.relistEach(requests));
  }

  async start(): Promise<void> {
    // The pleg decides when to relist.
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('pod-relist is stopping', { code: 'cancelled' }));
    this.queue.clear();
    const relist = this.relistInFlight?.done.catch(() => undefined); // its caller reports the error
    await Promise.all([relist, this.relists.stop(), this.inspector.stop()]);
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
    const isRelisted = this.relistInFlight !== undefined || this.queue.has(podUid) || this.relists.isBusy(podUid);
    if (isRelisted || this.inspector.pending.has(podUid) || !this.records.has(podUid)) return false;
    this.deps.cache.confirm(podUid, this.deps.clock.monotonic());
    return true;
  }

  requestRelist(podUid: string, { inspect = false, patient = false, newerThanMs }: RelistOptions = {}): void {
    const known = this.records.get(podUid);
    if (inspect && known !== undefined) known.reinspect = true;
    // The first relist will show everything. A full queue means that the runtime is slow, and the next relist covers
    // the pod.
    if (patient || this.sequence === 0 || this.stopping.signal.aborted) return;
    const nowMs = this.deps.clock.monotonic();
    const waits = this.queue.has(podUid) || this.relists.isBusy(podUid);
    if (waits || this.queue.size + this.relists.size < this.config.onDemandQueue)
      this.queue.add(podUid, inspect ? nowMs : (newerThanMs ?? nowMs));
    else {
      this.logger.debug(2, 'pod left to the next relist', { podUid });
      this.tellFailure(podUid);
    }
  }

  relist(): Promise<void> {
    if (this.relistInFlight !== undefined) return this.relistInFlight.done;
    const sequence = ++this.sequence;
    // Read before the call: what the answer shows may have changed since.
    const atMs = this.deps.clock.monotonic();
    const done = this.listAll(sequence, atMs);
    this.relistInFlight = { sequence, atMs, done };
    return done;
  }

  private async listAll(sequence: number, atMs: number): Promise<void> {
    await Promise.resolve(); // lets relist() store this promise before it can settle
    const { signal } = this.stopping;
    if (this.lastRelist !== undefined) this.metrics.relistInterval.observe((atMs - this.lastRelist.atMs) / 1000);
    try {
      const pods = await abortable(this.deps.runtime.getPods({ all: true, signal }), signal);
      this.lastRelist = { sequence, atMs };
      this.metrics.count(pods);
      this.takeList(pods, sequence, atMs);
      this.deps.cache.advance(atMs, this.inspector.pending);
    } finally {
      this.relistInFlight = undefined;
      this.relistedMeanwhile.clear();
      this.metrics.relistDuration.observe((this.deps.clock.monotonic() - atMs) / 1000);
    }
  }

  private takeList(pods: readonly RuntimePod[], sequence: number, atMs: number): void {
    let seen = 0;
    for (const pod of pods) {
      if (this.relistedMeanwhile.has(pod.uid)) continue;
      this.takePod(pod, sequence, atMs);
      seen++;
    }
    if (seen === this.records.size) return;
    for (const record of this.records.values()) {
      if (record.seenIn !== sequence && !this.relistedMeanwhile.has(record.uid)) this.forget(record);
    }
  }

  private takePod(pod: RuntimePod, sequence: number, atMs: number): PodRecord {
    let record = this.records.get(pod.uid);
    if (record === undefined) this.records.set(pod.uid, (record = newPodRecord(pod)));
    else if (!sameRecords(record.current, pod)) record.current = pod;
    record.seenIn = sequence;
    record.listedAtMs = atMs;
    if (record.current !== record.inspected || record.reinspect) this.inspector.submit(record);
    return record;
  }

  private forget(record: PodRecord): void {
    this.records.delete(record.uid);
    this.inspector.drop(record);
    this.deps.cache.delete(record.uid);
    this.deliver(record, diffPods(record.inspected, undefined), false);
  }

  private async relistEach(all: Requests): Promise<void> {
    const isDue = ([podUid, requestedAtMs]: readonly [string, number]): boolean =>
      !this.isCovered(podUid, requestedAtMs);
    const requests: Requests = new Map([...all].filter(isDue));
    const one = requests.size > 1 && requests.size * podsPerRequest >= this.records.size;
    if (!one || this.relistInFlight !== undefined) {
      for (const [podUid, requestedAtMs] of requests) this.relists.submit(podUid, requestedAtMs);
      await Promise.all(Array.from(requests.keys(), (podUid) => this.relists.whenIdle(podUid)));
      return;
    }
    try {
      await this.relist();
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.logger.warn('pods could not be relisted on demand', { podUids: [...requests.keys()], error });
      for (const podUid of requests.keys()) this.tellFailure(podUid);
    }
  }

  /** Whether a relist of the pod has begun later; one of all pods costs no more than a few of a single one. */
  private isCovered(podUid: string, requestedAtMs: number): boolean {
    const allAtMs = this.relistInFlight?.atMs ?? this.lastRelist?.atMs ?? Number.NEGATIVE_INFINITY;
    const listedAtMs = this.records.get(podUid)?.listedAtMs ?? Number.NEGATIVE_INFINITY;
    return Math.max(allAtMs, listedAtMs) > requestedAtMs;
  }

  private async relistPod(podUid: string, requestedAtMs: number, signal: AbortSignal): Promise<void> {
    const lastRelist = (): number => this.lastRelist?.sequence ?? 0;
    if (this.isCovered(podUid, requestedAtMs)) return;
    const atMs = this.deps.clock.monotonic();
    const sequence = ++this.sequence;
    const list = (deadline: AbortSignal): Promise<readonly RuntimePod[]> =>
      this.deps.runtime.getPods({ all: true, podUid, signal: deadline });
    const pods = await withDeadline(this.deps.clock, this.config.inspectionTimeoutMs, list, signal).finally(() =>
      this.metrics.podRelistDuration.observe((this.deps.clock.monotonic() - atMs) / 1000),
    );
    // A relist that began later was answered first and is newer.
    if (lastRelist() > sequence) return;
    if (this.relistInFlight !== undefined && sequence > this.relistInFlight.sequence)
      this.relistedMeanwhile.add(podUid);
    const pod = pods.find(({ uid }) => uid === podUid);
    const known = this.records.get(podUid);
    if (pod !== undefined) this.takePod(pod, sequence, atMs);
    else if (known !== undefined) this.forget(known);
    this.metrics.count(this.pods());
    if (!this.inspector.pending.has(podUid)) this.deps.cache.confirm(podUid, atMs);
  }

  /** Delivers a pod's changes. A pod inspected again after a failure, without changes, gets one PodSync. */
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
