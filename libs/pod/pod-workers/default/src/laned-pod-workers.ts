import { KeyedLanes, withDeadline } from '@podwright/concurrency';
import { hasCode, KubeletError } from '@podwright/errors';
import { isStaticPod, podFullName, podUid } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import type {
  KillPodOptions,
  PodWorkers,
  PodWorkerSync,
  PodWorkState,
  UpdatePodOptions,
} from '@podwright/pod-workers-interface';
import { namedRandom } from '@podwright/time';
import { acceptUpdate, rememberWork } from './accept-update.js';
import { killAndWait } from './kill-and-wait.js';
import { orphanStep } from './orphan-step.js';
import { isTerminationRequested, newRecord, workState } from './pod-record.js';
import type { PodRecord, PodWork } from './pod-record.js';
import { PodWorkerMetrics } from './pod-worker-metrics.js';
import type { PodWorkersConfig } from './pod-workers-config.js';
import type { PodWorkersNeeds } from './pod-workers-needs.js';
import { claim, TerminationCheckpoints } from './termination-checkpoints.js';
import { requeueDelayMs } from './requeue-delay.js';
import { restoreRecord } from './restore-record.js';
import { StaticPodOrder } from './static-pod-order.js';
import { SyncRunner, type SyncOutcome } from './sync-runner.js';
import { WorkJournal } from './work-journal.js';

/**
 * {@link PodWorkers} with one lane per pod UID. Separate functions decide what an update or the end of a sync means
 * (`acceptUpdate`, `orphanStep`); this class runs the lanes and advances the records.
 */
export class LanedPodWorkers implements PodWorkers {
  private readonly lanes: KeyedLanes<string, true>;
  private readonly staticOrder: StaticPodOrder;
  private readonly metrics: PodWorkerMetrics;
  private readonly runner: SyncRunner;
  private readonly journal: WorkJournal;
  private readonly terminations: TerminationCheckpoints;
  private readonly stopping = new AbortController();

  constructor(
    private readonly deps: PodWorkersNeeds,
    private readonly config: PodWorkersConfig,
  ) {
    const { checkpoints, clock } = deps;
    this.metrics = new PodWorkerMetrics(deps.metrics, clock);
    this.terminations = new TerminationCheckpoints(checkpoints, clock);
    this.runner = new SyncRunner(deps, this.metrics);
    this.journal = new WorkJournal(deps);
    this.staticOrder = new StaticPodOrder((uid) => {
      const record = this.deps.table.get(uid);
      return record === undefined || isTerminationRequested(record);
    });
    this.lanes = new KeyedLanes<string, true>({
      run: (uid, _value, signal) => this.work(uid, signal),
      onError: (uid, error) => this.deps.logger.error('pod worker failed', { podUid: uid, error }),
      maxLanes: Number.MAX_SAFE_INTEGER, // one lane per pod; admission already limits their number
    });
  }

  // Housekeeping or the configuration resumes the terminations of an earlier kubelet; until then a static pod with the
  // same name must wait.
  async start(): Promise<void> {
    for (const record of this.terminations.restore()) {
      this.deps.table.put(record);
      if (record.active?.pod !== undefined && isStaticPod(record.active.pod))
        this.staticOrder.hold(record.fullName, record.uid);
    }
  }

  async stop(): Promise<void> {
    const reason = cancelled();
    this.stopping.abort(reason);
    for (const record of this.deps.table.all()) record.running?.abort(reason);
    try {
      await withDeadline(this.deps.clock, this.config.stopTimeoutMs, () => this.lanes.stop());
    } catch (error) {
      if (!hasCode(error, 'deadline-exceeded')) throw error;
      this.deps.logger.warn('left running syncs behind', {
        pods: this.lanes.size,
        waitedMs: this.config.stopTimeoutMs,
      });
    }
  }

  updatePod(options: UpdatePodOptions): void {
    if (this.stopping.signal.aborted) return;
    const { pod, runningPod } = options;
    const uid = pod === undefined ? runningPod?.uid : podUid(pod);
    if (uid === undefined || (pod === undefined && options.type !== 'kill')) {
      this.deps.logger.error('pod update is ignored: a pod that only the runtime knows can only be killed', {
        type: options.type,
        podUid: uid,
      });
      return;
    }
    const known = this.deps.table.get(uid);
    const record = known ?? this.addRecord(uid, pod, `${runningPod?.name ?? ''}_${runningPod?.namespace ?? ''}`);
    const claimed = pod === undefined ? 'no' : claim(record, pod, options.type);
    if (claimed === 'wanted-again') {
      this.replay(record);
      return;
    }
    const before = record.gracePeriodSeconds;
    const { restartRequested } = record;
    const wasEnding = isTerminationRequested(record);
    const outcome = acceptUpdate(
      record,
      options,
      known === undefined || claimed === 'ending',
      this.deps.clock.monotonic(),
    );
    if (!outcome.accepted) {
      this.deps.logger.debug(4, 'pod update is ignored', { podUid: uid, why: outcome.why });
      if (record.restartRequested && !restartRequested) {
        this.journal.waits(record, 'restart');
        // Housekeeping ends only pods that nobody wants, and a retry that was due while no source had this one is lost.
        if (!record.finished && record.running === undefined) this.replay(record);
      }
      return;
    }
    this.journal.accepted(record, options, !wasEnding && isTerminationRequested(record));
    if (record.gracePeriodSeconds !== before) this.checkpointRequest(record);
    this.lanes.submit(uid, true);
    if (outcome.cancelRunning) record.running?.abort(cancelled());
  }

  syncKnownPods(desiredPods: readonly Pod[], among?: (pod: Pod) => boolean): ReadonlyMap<string, PodWorkerSync> {
    const desired = new Set(desiredPods.map(podUid));
    if (among === undefined) this.deps.table.markSynced();
    const remaining = new Map<string, PodWorkerSync>();
    for (const record of this.deps.table.all()) {
      const pod = (record.active ?? record.pending)?.pod;
      if (among !== undefined && (pod === undefined || !among(pod))) continue;
      const orphan = !desired.has(record.uid);
      const step = orphan || record.restartRequested ? orphanStep(record, orphan, this.deps.clock.monotonic()) : 'keep';
      if (step === 'forget') {
        this.forget(record);
        continue;
      }
      if (step === 'work') this.replay(record);
      remaining.set(record.uid, {
        state: workState(record),
        orphan,
        fullName: record.fullName,
        restartRequested: record.restartRequested,
        hasConfig: pod !== undefined,
        static: pod !== undefined && isStaticPod(pod),
      });
    }
    return remaining;
  }

  async killPodNow(pod: Pod, options: KillPodOptions): Promise<void> {
    await killAndWait(pod, options, {
      update: (update) => this.updatePod(update),
      events: this.deps.events,
      clock: this.deps.clock,
      stopping: this.stopping.signal,
    });
  }

  private addRecord(uid: string, pod: Pod | undefined, runtimeName: string): PodRecord {
    const record = newRecord(uid, pod === undefined ? runtimeName : podFullName(pod));
    if (pod !== undefined) restoreRecord(record, pod, this.deps.cache, this.deps.clock.monotonic());
    this.deps.table.put(record);
    if (pod !== undefined && isStaticPod(pod)) this.staticOrder.wait(record.fullName, uid);
    return record;
  }

  /** One turn of one lane: takes the pending update, syncs, advances the record. */
  private async work(uid: string, signal: AbortSignal): Promise<void> {
    const record = this.deps.table.get(uid);
    const work = record?.pending;
    if (record === undefined || work === undefined || !this.begin(record, work)) return;
    const begunAtMs = this.deps.clock.monotonic();
    const controller = new AbortController();
    record.running = controller;
    const state = workState(record);
    const { pod } = work;
    const todo = state === 'terminating' && pod !== undefined ? await this.terminations.begin(record, work, pod) : work;
    const outcome = await this.runner.run(record, todo, state, controller.signal, signal);
    record.running = undefined;
    if (outcome.synced) record.lastSyncEndMs = this.deps.clock.monotonic();
    record.settledAtMs = 'error' in outcome ? undefined : record.lastSyncEndMs;
    this.metrics.worked(work, state === 'terminated' && !('error' in outcome) ? 'terminated' : undefined);
    const nextLookMs = this.nextLookMs(record.uid, state, outcome);
    if (!this.stopping.signal.aborted) this.journal.turn(record, { work, state, begunAtMs, outcome, nextLookMs });
    if ('error' in outcome) this.fail(record, work, outcome.error, nextLookMs);
    else if (state === 'terminated') this.finish(record);
    else if (state === 'terminating' && work.runningPod !== undefined) this.forget(record);
    else if (state === 'terminating') this.completeTerminating(record);
    else if (outcome.terminal) this.completeSync(record);
    else if (nextLookMs !== undefined) this.deps.queue.requeue(uid, nextLookMs);
    if (record.pending !== undefined && !record.finished) this.lanes.submit(uid, true);
  }

  /** Decides whether the worker may run, and if so takes the update. */
  private begin(record: PodRecord, work: PodWork): boolean {
    this.lanes.cancelPending(record.uid);
    if (record.startedAtMs === undefined && work.pod !== undefined) {
      if (isStaticPod(work.pod)) {
        // A pod that the runtime knows was started by an earlier kubelet and must be terminated.
        if (isTerminationRequested(record) && !record.observedRuntime) {
          this.deps.logger.debug(4, 'static pod ended before it started', { podUid: record.uid });
          record.terminatedAtMs ??= this.deps.clock.monotonic();
          record.pending = undefined;
          this.metrics.worked(work, 'terminated');
          this.finish(record);
          return false;
        }
        if (!isTerminationRequested(record) && !this.staticOrder.tryStart(record.fullName, record.uid)) {
          this.deps.logger.debug(4, 'static pod waits for the one that has its name', { podUid: record.uid });
          const delayMs = this.requeueDelayMs(record.uid, new Error('waiting'));
          this.journal.waits(record, 'static-pod-name', delayMs);
          this.deps.queue.requeue(record.uid, delayMs);
          return false;
        }
      }
      record.startedAtMs = this.deps.clock.monotonic();
      this.metrics.started(work.pod);
    }
    record.pending = undefined;
    rememberWork(record, work);
    return true;
  }

  /** Undefined for a turn after which another one follows at once, or none. */
  private nextLookMs(uid: string, state: PodWorkState, outcome: SyncOutcome): number | undefined {
    if ('error' in outcome) return this.requeueDelayMs(uid, outcome.error);
    return state === 'sync' && !outcome.terminal ? this.requeueDelayMs(uid, undefined) : undefined;
  }

  private requeueDelayMs(uid: string, error: unknown): number {
    const random = namedRandom(this.deps.random, `sync ${uid}`);
    return requeueDelayMs(error, this.config, this.deps.clock.now(), random);
  }

  private fail(record: PodRecord, work: PodWork, error: unknown, nextLookMs = 0): void {
    if (this.stopping.signal.aborted) return;
    const fields = { pod: work.pod ?? work.runningPod, podUid: record.uid, error };
    if (hasCode(error, 'cancelled')) this.deps.logger.debug(2, 'sync was cancelled', fields);
    else this.deps.logger.error('Error syncing pod, skipping', fields);
    this.deps.queue.requeue(record.uid, nextLookMs);
  }

  private completeSync(record: PodRecord): void {
    record.terminatingAtMs ??= this.deps.clock.monotonic();
    record.completed = true;
    record.observedTermination = true;
    this.journal.ending(record, 'completed');
    this.replay(record);
  }

  private completeTerminating(record: PodRecord): void {
    record.terminatedAtMs = this.deps.clock.monotonic();
    record.overrideStatus = undefined;
    this.notify(record);
    this.replay(record);
  }

  private finish(record: PodRecord): void {
    record.finished = true;
    this.journal.ended(record);
    this.terminations.remove(record.uid);
    // Drop an update that came during the last sync: its turn would outlive the record.
    record.pending = undefined;
    this.notify(record);
    this.releaseName(record);
  }

  private forget(record: PodRecord): void {
    if (!record.finished) this.journal.ended(record);
    this.deps.table.delete(record.uid);
    this.terminations.remove(record.uid);
    record.pending = undefined;
    this.notify(record);
    this.releaseName(record);
  }

  // From here on, if this process is killed, the next one still knows the pod's spec.
  private checkpointRequest(record: PodRecord): void {
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

  /** Lets the worker run again without a new update, with the last one. */
  private replay(record: PodRecord): void {
    record.pending ??= record.active;
    if (record.pending !== undefined) this.lanes.submit(record.uid, true);
  }
}

// Go's words: events of the calls that end show them.
const cancelled = (): KubeletError => new KubeletError('context canceled', { code: 'cancelled' });
