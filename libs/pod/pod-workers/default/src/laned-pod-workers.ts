import { CLOCK, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { KeyedLanes, withDeadline } from '@podwright/concurrency';
import { hasCode, KubeletError } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import type { EventRecorder } from '@podwright/events-interface';
import { isStaticPod, podFullName, podUid } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { RELIST_CONTROL } from '@podwright/pleg-interface';
import type { RelistControl } from '@podwright/pleg-interface';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import type { PodCache } from '@podwright/pod-cache-interface';
import { POD_MEMORY } from '@podwright/pod-memory-interface';
import type { PodMemory } from '@podwright/pod-memory-interface';
import { POD_SYNCER } from '@podwright/pod-sync-interface';
import type { PodSyncer } from '@podwright/pod-sync-interface';
import { POD_WORK_QUEUE } from '@podwright/pod-workers-interface';
import type {
  KillPodOptions,
  PodWorkers,
  PodWorkerSync,
  PodWorkQueue,
  UpdatePodOptions,
} from '@podwright/pod-workers-interface';
import type { Clock, Random } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { acceptUpdate, rememberWork } from './accept-update.js';
import { killAndWait } from './kill-and-wait.js';
import { orphanStep } from './orphan-step.js';
import { POD_LIFECYCLE_TABLE } from './pod-lifecycle-table.js';
import type { PodLifecycleTable } from './pod-lifecycle-table.js';
import { isTerminationRequested, newRecord, workState } from './pod-record.js';
import type { PodRecord, PodWork } from './pod-record.js';
import { PodWorkerMetrics } from './pod-worker-metrics.js';
import { POD_WORKERS_CONFIG } from './pod-workers-config.js';
import type { PodWorkersConfig } from './pod-workers-config.js';
import { claim, RememberedTerminations } from './remembered-terminations.js';
import { requeueDelayMs } from './requeue-delay.js';
import { restoreRecord } from './restore-record.js';
import { StaticPodOrder } from './static-pod-order.js';
import { SyncRunner } from './sync-runner.js';

/**
 * {@link PodWorkers} with one lane per pod UID. What an update or the end of a sync means is decided by functions of
 * their own ({@link acceptUpdate}, {@link orphanStep}); this class runs the lanes and moves records on.
 */
@injectable()
export class LanedPodWorkers implements PodWorkers {
  private readonly lanes: KeyedLanes<string, true>;
  private readonly staticOrder: StaticPodOrder;
  private readonly metrics: PodWorkerMetrics;
  private readonly runner: SyncRunner;
  private readonly terminations: RememberedTerminations;
  private readonly stopping = new AbortController();

  constructor(
    @inject(POD_SYNCER) syncer: PodSyncer,
    @inject(POD_CACHE) private readonly cache: PodCache,
    @inject(POD_LIFECYCLE_TABLE) private readonly table: PodLifecycleTable,
    @inject(POD_MEMORY) memory: PodMemory,
    @inject(POD_WORK_QUEUE) private readonly queue: PodWorkQueue,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) private readonly random: Random,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) registry: MetricsRegistry,
    @inject(POD_WORKERS_CONFIG) private readonly config: PodWorkersConfig,
    @inject(RELIST_CONTROL, { isOptional: true }) relist: RelistControl | undefined,
  ) {
    this.metrics = new PodWorkerMetrics(registry, clock);
    this.terminations = new RememberedTerminations(memory, clock);
    this.runner = new SyncRunner(syncer, cache, events, this.metrics, relist);
    this.staticOrder = new StaticPodOrder((uid) => {
      const record = this.table.get(uid);
      return record === undefined || isTerminationRequested(record);
    });
    this.lanes = new KeyedLanes<string, true>({
      run: (uid, _value, signal) => this.work(uid, signal),
      onError: (uid, error) => this.logger.error('pod worker failed', { podUid: uid, error }),
      maxLanes: Number.MAX_SAFE_INTEGER, // one per wanted pod: their number is limited before they get here
    });
  }

  // What an earlier process was about to end is ended by housekeeping, or when the configuration shows it; until then its
  // successor of the same name must wait.
  async start(): Promise<void> {
    for (const record of this.terminations.restore()) {
      this.table.put(record);
      if (record.active?.pod !== undefined && isStaticPod(record.active.pod))
        this.staticOrder.hold(record.fullName, record.uid);
    }
  }

  async stop(): Promise<void> {
    const reason = new KubeletError('pod workers are stopping', { code: 'cancelled' });
    this.stopping.abort(reason);
    for (const record of this.table.all()) record.running?.abort(reason);
    try {
      await withDeadline(this.clock, this.config.stopTimeoutMs, () => this.lanes.stop());
    } catch (error) {
      if (!hasCode(error, 'deadline-exceeded')) throw error;
      this.logger.warn('left running syncs behind', { pods: this.lanes.size, waitedMs: this.config.stopTimeoutMs });
    }
  }

  updatePod(options: UpdatePodOptions): void {
    if (this.stopping.signal.aborted) return;
    const { pod, runningPod } = options;
    const uid = pod === undefined ? runningPod?.uid : podUid(pod);
    if (uid === undefined || (pod === undefined && options.type !== 'kill')) {
      this.logger.error('pod update is ignored: a pod that only the runtime knows can only be killed', {
        type: options.type,
        podUid: uid,
      });
      return;
    }
    const known = this.table.get(uid);
    const record = known ?? this.addRecord(uid, pod, `${runningPod?.name ?? ''}_${runningPod?.namespace ?? ''}`);
    const claimed = pod === undefined ? 'no' : claim(record, pod, options.type);
    if (claimed === 'wanted-again') {
      this.replay(record);
      return;
    }
    const before = record.gracePeriodSeconds;
    const outcome = acceptUpdate(record, options, known === undefined || claimed === 'ending', this.clock.monotonic());
    if (!outcome.accepted) {
      this.logger.debug(4, 'pod update is ignored', { podUid: uid, why: outcome.why });
      return;
    }
    if (record.gracePeriodSeconds !== before) this.rememberRequest(record);
    this.lanes.submit(uid, true);
    if (outcome.cancelRunning)
      record.running?.abort(new KubeletError('the pod is to terminate', { code: 'cancelled' }));
  }

  syncKnownPods(desiredPods: readonly Pod[]): ReadonlyMap<string, PodWorkerSync> {
    const desired = new Set(desiredPods.map(podUid));
    this.table.markSynced();
    const remaining = new Map<string, PodWorkerSync>();
    for (const record of this.table.all()) {
      const orphan = !desired.has(record.uid);
      const step = orphan || record.restartRequested ? orphanStep(record, orphan, this.clock.monotonic()) : 'keep';
      if (step === 'forget') {
        this.forget(record);
        continue;
      }
      if (step === 'work') this.replay(record);
      const newest = record.active ?? record.pending;
      remaining.set(record.uid, {
        state: workState(record),
        orphan,
        fullName: record.fullName,
        restartRequested: record.restartRequested,
        hasConfig: newest?.pod !== undefined,
        static: newest?.pod !== undefined && isStaticPod(newest.pod),
      });
    }
    return remaining;
  }

  async killPodNow(pod: Pod, options: KillPodOptions): Promise<void> {
    await killAndWait(pod, options, {
      update: (update) => this.updatePod(update),
      events: this.events,
      clock: this.clock,
      stopping: this.stopping.signal,
    });
  }

  private addRecord(uid: string, pod: Pod | undefined, runtimeName: string): PodRecord {
    const record = newRecord(uid, pod === undefined ? runtimeName : podFullName(pod));
    if (pod !== undefined) restoreRecord(record, pod, this.cache, this.clock.monotonic());
    this.table.put(record);
    if (pod !== undefined && isStaticPod(pod)) this.staticOrder.wait(record.fullName, uid);
    return record;
  }

  /** One turn of one lane: takes the pending update, syncs, moves the record on. */
  private async work(uid: string, signal: AbortSignal): Promise<void> {
    const record = this.table.get(uid);
    const work = record?.pending;
    if (record === undefined || work === undefined || !this.begin(record, work)) return;
    const controller = new AbortController();
    record.running = controller;
    const state = workState(record);
    const { pod } = work;
    const todo = state === 'terminating' && pod !== undefined ? await this.terminations.begin(record, work, pod) : work;
    const outcome = await this.runner.run(record, todo, state, controller.signal, signal);
    record.running = undefined;
    if (outcome.synced) record.lastSyncEndMs = this.clock.monotonic();
    record.settledAtMs = 'error' in outcome ? undefined : record.lastSyncEndMs;
    this.metrics.worked(state === 'terminated' && !('error' in outcome) ? 'terminated' : work.type, work.receivedAtMs);
    if ('error' in outcome) this.fail(record, work, outcome.error);
    else if (state === 'terminated') this.finish(record);
    else if (state === 'terminating' && work.runningPod !== undefined) this.forget(record);
    else if (state === 'terminating') this.completeTerminating(record);
    else if (outcome.terminal) this.completeSync(record);
    else this.queue.enqueue(uid, requeueDelayMs(undefined, this.config, this.clock.now(), this.random));
    if (record.pending !== undefined && !record.finished) this.lanes.submit(uid, true);
  }

  /** Decides whether the worker may run at all, and takes the update if so. */
  private begin(record: PodRecord, work: PodWork): boolean {
    this.lanes.cancelPending(record.uid);
    if (record.startedAtMs === undefined && work.pod !== undefined) {
      if (isStaticPod(work.pod)) {
        // One that the runtime knows was started by a former process and has something to end.
        if (isTerminationRequested(record) && !record.observedRuntime) {
          this.logger.debug(4, 'static pod ended before it started', { podUid: record.uid });
          record.terminatedAtMs ??= this.clock.monotonic();
          record.pending = undefined;
          this.metrics.worked('terminated', work.receivedAtMs);
          this.finish(record);
          return false;
        }
        if (!isTerminationRequested(record) && !this.staticOrder.tryStart(record.fullName, record.uid)) {
          this.logger.debug(4, 'static pod waits for the one that has its name', { podUid: record.uid });
          this.queue.enqueue(
            record.uid,
            requeueDelayMs(new Error('waiting'), this.config, this.clock.now(), this.random),
          );
          return false;
        }
      }
      record.startedAtMs = this.clock.monotonic();
      this.metrics.started(work.pod);
    }
    record.pending = undefined;
    rememberWork(record, work);
    return true;
  }

  private fail(record: PodRecord, work: PodWork, error: unknown): void {
    if (this.stopping.signal.aborted) return;
    const fields = { pod: work.pod ?? work.runningPod, podUid: record.uid, error };
    if (hasCode(error, 'cancelled')) this.logger.debug(2, 'sync was cancelled', fields);
    else this.logger.error('Error syncing pod, skipping', fields);
    this.queue.enqueue(record.uid, requeueDelayMs(error, this.config, this.clock.now(), this.random));
  }

  private completeSync(record: PodRecord): void {
    record.terminatingAtMs ??= this.clock.monotonic();
    record.completed = true;
    record.observedTermination = true;
    this.replay(record);
  }

  private completeTerminating(record: PodRecord): void {
    record.terminatedAtMs = this.clock.monotonic();
    record.overrideStatus = undefined;
    this.notify(record);
    this.replay(record);
  }

  private finish(record: PodRecord): void {
    record.finished = true;
    this.terminations.forget(record.uid);
    // An update that came during the last sync has nothing left to do; its turn would outlive the record.
    record.pending = undefined;
    this.notify(record);
    this.releaseName(record);
  }

  private forget(record: PodRecord): void {
    this.table.delete(record.uid);
    this.terminations.forget(record.uid);
    record.pending = undefined;
    this.notify(record);
    this.releaseName(record);
  }

  // From here on a kill of this process does not make the pod one that only the runtime knows.
  private rememberRequest(record: PodRecord): void {
    const pod = record.pending?.pod ?? record.active?.pod;
    const started = record.startedAtMs !== undefined || record.observedRuntime;
    if (isTerminationRequested(record) && started && pod !== undefined) this.terminations.request(record, pod);
  }

  private notify(record: PodRecord): void {
    for (const onCompleted of record.waiting.splice(0)) onCompleted();
  }

  private releaseName(record: PodRecord): void {
    this.staticOrder.release(record.fullName, record.uid);
    this.wakeNext(record.fullName);
  }

  private wakeNext(fullName: string): void {
    const next = this.staticOrder.nextToStart(fullName);
    if (next !== undefined) this.lanes.submit(next, true);
  }

  /** Lets the worker go on without a new update, with what it saw last. */
  private replay(record: PodRecord): void {
    record.pending ??= record.active;
    if (record.pending !== undefined) this.lanes.submit(record.uid, true);
  }
}
