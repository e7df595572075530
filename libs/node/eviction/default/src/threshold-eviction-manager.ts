import type { AdmissionCheck } from '@podwright/admission-interface';
import type { Health } from '@podwright/assembly-interface';
import { abortable, Mutex } from '@podwright/concurrency';
import { isCrioEndpoint } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { EvictionDecision, EvictionManager } from '@podwright/eviction-interface';
import { FailureLog, type Logger } from '@podwright/logging';
import { defaultBuckets } from '@podwright/metrics';
import type { NodePressure } from '@podwright/node-status-interface';
import { refuseUnderPressure } from './admit-under-pressure.js';
import { DecisionLog } from './decisions/decision-log.js';
import { describeRanking, describeSignals, describeThresholds, type Instant } from './decisions/describe-pressure.js';
import { createDetectDiskLayout } from './disk-layout.js';
import type { EvictionConfig } from './eviction-config.js';
import type { EvictionNeeds } from './eviction-needs.js';
import { MemoryWatches } from './memcg/memory-watches.js';
import { createReadMemoryUsage } from './memcg/read-memory-usage.js';
import { EvictionPass, type Reclaimed } from './pass/eviction-pass.js';
import { NodeObserver, type NodeView } from './pass/node-observer.js';
import { planDryRun } from './pass/plan-dry-run.js';
import { PodEvictor, toRecord } from './pass/pod-evictor.js';
import { waitForCleanup } from './pass/wait-for-cleanup.js';
import { assessPressure, newlyObserved, noPressure, type PressureState } from './thresholds/assess-pressure.js';
import { parseThresholds } from './thresholds/parse-thresholds.js';

// A dry run may use statistics of this age.
const dryRunMaxAgeMs = 1_000;

/**
 * {@link EvictionManager} that compares the node's statistics with thresholds; also reports the node's pressure
 * conditions and rejects pods under pressure. Source: kubernetes v1.36 pkg/kubelet/eviction/eviction_manager.go.
 */
export class ThresholdEvictionManager implements EvictionManager, NodePressure {
  private readonly observer: NodeObserver;
  private readonly pass: EvictionPass;
  private readonly log: DecisionLog;
  private readonly logger: Logger;
  private readonly failureLog: FailureLog;
  private readonly watches: MemoryWatches | undefined;
  private readonly onePass = new Mutex();
  private readonly stopping = new AbortController();
  private readonly isIdle: boolean;
  private state: PressureState = noPressure;
  private failure: string | undefined;
  private loops: Promise<unknown> | undefined;

  constructor(
    private readonly deps: EvictionNeeds,
    private readonly config: EvictionConfig,
  ) {
    const { images, clock, cgroups, metrics } = deps;
    this.logger = deps.logger.with({ logger: 'eviction' });
    this.failureLog = new FailureLog(this.logger, clock);
    this.log = new DecisionLog(this.logger, config.keepDecisions, deps.journal);
    const thresholds = parseThresholds(config);
    this.isIdle = thresholds.length === 0 && !config.localStorageCapacityIsolation;
    const { rootDir, separateDiskGc } = config;
    const tellsContainerFs = isCrioEndpoint(config.runtimeEndpoint);
    const detectLayout = createDetectDiskLayout({ images, clock }, { rootDir, tellsContainerFs, separateDiskGc });
    this.observer = new NodeObserver({ ...deps, detectLayout }, thresholds);
    const evictor = new PodEvictor({ ...deps, logger: this.logger });
    const statsAge = metrics.histogram({
      name: 'kubelet_eviction_stats_age_seconds',
      help: 'Time between when stats are collected, and when pod is evicted based on those stats by eviction signal',
      labels: ['eviction_signal'],
      buckets: defaultBuckets,
    });
    this.pass = new EvictionPass({ ...deps, observer: this.observer, evictor, statsAge, logger: this.logger }, config);
    if (config.kernelMemcgNotification && cgroups !== undefined) {
      const read = createReadMemoryUsage(cgroups);
      const crossed = (): void => void this.synchronize().catch(() => undefined); // it rejects only when stopped
      this.watches = new MemoryWatches(thresholds, { read, clock, logger: this.logger, crossed });
    }
  }

  async start(): Promise<void> {
    const { signal } = this.stopping;
    if (this.loops !== undefined || signal.aborted) return;
    this.loops = Promise.all([this.monitor(signal), this.watches?.run(signal)]);
  }

  /** Does not wait for an eviction in progress: the pod's worker completes it. */
  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the eviction manager is stopping', { code: 'cancelled' }));
    await this.loops;
  }

  /** Detail: why the last pass could not read the node. */
  healthy(): Health {
    if (this.loops === undefined || this.stopping.signal.aborted) return { ok: false, reason: 'eviction does not run' };
    return this.failure === undefined ? { ok: true } : { ok: true, detail: this.failure };
  }

  memoryPressure(): boolean {
    return this.state.conditions.includes('MemoryPressure');
  }

  diskPressure(): boolean {
    return this.state.conditions.includes('DiskPressure');
  }

  pidPressure(): boolean {
    return this.state.conditions.includes('PIDPressure');
  }

  /** Rejects pods while the node is under pressure; accepts all after `stop()`. */
  admissionCheck(): AdmissionCheck {
    const conditions = (): PressureState['conditions'] => (this.stopping.signal.aborted ? [] : this.state.conditions);
    return { stage: 'eviction', check: (pod) => refuseUnderPressure(pod, conditions()) };
  }

  decisions(): readonly EvictionDecision[] {
    return this.log.all();
  }

  synchronize(): Promise<EvictionDecision | undefined> {
    const { signal } = this.stopping;
    return this.onePass.run(() => abortable(this.guardedPass(signal), signal), { signal });
  }

  async dryRun(signal: AbortSignal = this.stopping.signal): Promise<EvictionDecision> {
    this.stopping.signal.throwIfAborted();
    const view = await this.observer.view(dryRunMaxAgeMs, 'all', signal);
    const now = this.now();
    return planDryRun(view, this.assess(view, now), this.config, now);
  }

  private async monitor(signal: AbortSignal): Promise<void> {
    const { logger, config } = this;
    const { clock, lifecycle } = this.deps;
    try {
      for (;;) {
        const decision = await this.synchronize();
        if (decision === undefined || decision.evicted.length === 0) {
          await clock.sleep(config.monitoringPeriodMs, signal);
        } else {
          await waitForCleanup(decision.evicted, { lifecycle, clock, logger }, signal);
        }
      }
    } catch (error) {
      // A pass or a pause rejects only when the signal has aborted.
      if (!signal.aborted) logger.error('Eviction manager: the control loop ended', { error });
    }
  }

  private async guardedPass(signal: AbortSignal): Promise<EvictionDecision | undefined> {
    try {
      return await this.runPass(signal);
    } catch (error) {
      if (signal.aborted) throw error;
      this.logger.error('Eviction manager: failed to synchronize', { error });
      return undefined;
    }
  }

  private async runPass(signal: AbortSignal): Promise<EvictionDecision | undefined> {
    if (this.isIdle) return undefined;
    const view = await this.view(signal);
    if (view === undefined) return undefined;
    this.watches?.update(view.summary);
    const now = this.now();
    const { observations: last } = this.state;
    this.state = this.assess(view, now);
    if (this.config.localStorageCapacityIsolation) {
      const planned = this.pass.planLocalStorage(view);
      if (planned.length > 0) return this.carryOut(view, now, { reclaimed: [], planned }, signal);
    }
    const thresholds = newlyObserved(this.state.active, view.observations, last);
    const [threshold] = thresholds;
    if (threshold === undefined) return undefined;
    const whole = await this.observer.withAllPods(view, signal);
    const outcome = await this.pass.reclaim(thresholds, whole, signal);
    return this.carryOut(view, now, outcome, signal, threshold.signal);
  }

  /** Records the decision before any pod ends: if the kubelet is killed meanwhile, its log has the reason. */
  private async carryOut(
    view: NodeView,
    now: Instant,
    outcome: Reclaimed,
    signal: AbortSignal,
    reclaimFor?: Parameters<typeof describeRanking>[0],
  ): Promise<EvictionDecision> {
    const decision = this.decide(view, now, outcome, reclaimFor);
    if (outcome.planned.length === 0) return decision;
    return this.log.amend(decision, { evicted: await this.pass.evict(outcome.planned, signal) });
  }

  private async view(signal: AbortSignal): Promise<NodeView | undefined> {
    try {
      const which = this.config.localStorageCapacityIsolation ? 'limited' : 'none';
      const view = await this.observer.view(0, which, signal);
      this.failure = undefined;
      this.failureLog.over('Eviction manager: the node is read again');
      return view;
    } catch (error) {
      if (signal.aborted) throw error;
      this.failure = messageOf(error);
      this.failureLog.failed(KubeletError.from(error).code, 'Eviction manager: failed to get summary stats', { error });
      return undefined;
    }
  }

  private assess({ thresholds, observations }: NodeView, { monotonicMs }: Instant): PressureState {
    const transitionPeriodMs = this.config.pressureTransitionPeriodMs;
    return assessPressure(this.state, observations, { thresholds, transitionPeriodMs }, monotonicMs);
  }

  private decide(
    { thresholds, observations, layout }: NodeView,
    now: Instant,
    { reclaimed, ranked, planned }: Reclaimed,
    signal?: Parameters<typeof describeRanking>[0],
  ): EvictionDecision {
    const decision: EvictionDecision = {
      time: new Date(now.wallMs).toISOString(),
      dryRun: false,
      signals: describeSignals(observations, now),
      thresholds: describeThresholds(thresholds, this.state, now),
      conditions: this.state.conditions,
      ...(signal !== undefined && { reclaimFor: signal }),
      reclaimed,
      rankings: signal === undefined || ranked === undefined ? [] : [describeRanking(signal, layout, ranked)],
      evicted: planned.map(toRecord),
    };
    this.log.add(decision);
    return decision;
  }

  private now(): Instant {
    return { wallMs: this.deps.clock.now(), monotonicMs: this.deps.clock.monotonic() };
  }
}
