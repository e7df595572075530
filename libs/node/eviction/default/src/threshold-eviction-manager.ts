import { ADMISSION_HANDLERS, type AdmissionHandlers } from '@podwright/admission-interface';
import { ALLOCATED_RESOURCES, type AllocatedResources } from '@podwright/allocation-interface';
import { CLOCK, LOGGER, METRICS, decodeOptions, type Health } from '@podwright/assembly-interface';
import { CGROUP_STATS, type CgroupStats } from '@podwright/cgroup-stats-interface';
import { abortable, Mutex } from '@podwright/concurrency';
import { CONTAINER_GC, type ContainerGc } from '@podwright/container-gc-interface';
import { IMAGE_SERVICE, type ImageService } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import type { EvictionDecision, EvictionManager } from '@podwright/eviction-interface';
import { IMAGE_GC, type ImageGc } from '@podwright/image-gc-interface';
import { TroubleLog, type Logger } from '@podwright/logging';
import { defaultBuckets, type MetricsRegistry } from '@podwright/metrics';
import type { NodePressure } from '@podwright/node-status-interface';
import {
  ACTIVE_PODS,
  POD_LIFECYCLE,
  POD_WORKERS,
  type ActivePods,
  type PodLifecycle,
  type PodWorkers,
} from '@podwright/pod-workers-interface';
import { STATS_PROVIDER, type StatsProvider } from '@podwright/stats-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { refuseUnderPressure } from './admit-under-pressure.js';
import { DecisionLog } from './decisions/decision-log.js';
import { describeRanking, describeSignals, describeThresholds, type Instant } from './decisions/describe-pressure.js';
import { createDetectDiskLayout } from './disk-layout.js';
import { EVICTION_CONFIG, evictionConfigSchema, type EvictionConfig } from './eviction-config.js';
import { MemoryWatches } from './memcg/memory-watches.js';
import { createReadMemoryUsage } from './memcg/read-memory-usage.js';
import { EvictionPass, type Reclaimed } from './pass/eviction-pass.js';
import { NodeLook, type NodeView } from './pass/node-look.js';
import { planDryRun } from './pass/plan-dry-run.js';
import { PodEvictor, toRecord } from './pass/pod-evictor.js';
import { waitForCleanup } from './pass/wait-for-cleanup.js';
import { assessPressure, newlyObserved, noPressure, type PressureState } from './thresholds/assess-pressure.js';
import { parseThresholds } from './thresholds/parse-thresholds.js';

export interface ThresholdEvictionManagerDeps {
  readonly stats: Pick<StatsProvider, 'summary'>;
  readonly images: Pick<ImageService, 'imageFsInfo'>;
  readonly activePods: ActivePods;
  readonly allocated: Pick<AllocatedResources, 'withAllocation'>;
  readonly workers: Pick<PodWorkers, 'killPodNow'>;
  readonly lifecycle: Pick<PodLifecycle, 'isFinished' | 'isKnownTerminated' | 'shouldRuntimeBeRemoved'>;
  readonly containerGc: Pick<ContainerGc, 'garbageCollect'>;
  readonly admission: AdmissionHandlers;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Without it no image is removed for a pod's sake. */
  readonly imageGc?: Pick<ImageGc, 'deleteUnusedImages'>;
  /** For `kernelMemcgNotification` alone. */
  readonly cgroups?: Pick<CgroupStats, 'roots'>;
}

// A reading that somebody asked for just now is good enough for a look.
const dryRunMaxAgeMs = 1_000;

/**
 * {@link EvictionManager} by thresholds on the node's statistics; also tells the node's shortages and refuses pods while there
 * are any. Source: kubernetes v1.36 pkg/kubelet/eviction/eviction_manager.go.
 */
@injectable()
export class ThresholdEvictionManager implements EvictionManager, NodePressure {
  private readonly look: NodeLook;
  private readonly pass: EvictionPass;
  private readonly log: DecisionLog;
  private readonly logger: Logger;
  private readonly trouble: TroubleLog;
  private readonly watches: MemoryWatches | undefined;
  private readonly onePass = new Mutex();
  private readonly stopping = new AbortController();
  private readonly isIdle: boolean;
  private state: PressureState = noPressure;
  private failure: string | undefined;
  private loops: Promise<unknown> | undefined;
  private leaveAdmission: (() => void) | undefined;

  constructor(
    @inject(STATS_PROVIDER) stats: ThresholdEvictionManagerDeps['stats'],
    @inject(IMAGE_SERVICE) images: ThresholdEvictionManagerDeps['images'],
    @inject(ACTIVE_PODS) activePods: ActivePods,
    @inject(ALLOCATED_RESOURCES) allocated: ThresholdEvictionManagerDeps['allocated'],
    @inject(POD_WORKERS) workers: ThresholdEvictionManagerDeps['workers'],
    @inject(POD_LIFECYCLE) private readonly lifecycle: ThresholdEvictionManagerDeps['lifecycle'],
    @inject(CONTAINER_GC) containerGc: ThresholdEvictionManagerDeps['containerGc'],
    @inject(ADMISSION_HANDLERS) private readonly admission: AdmissionHandlers,
    @inject(EVENT_RECORDER) events: EventRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(EVICTION_CONFIG) private readonly config: EvictionConfig,
    @inject(IMAGE_GC, { isOptional: true }) imageGc?: ThresholdEvictionManagerDeps['imageGc'],
    @inject(CGROUP_STATS, { isOptional: true }) cgroups?: ThresholdEvictionManagerDeps['cgroups'],
  ) {
    this.logger = logger.with({ logger: 'eviction' });
    this.trouble = new TroubleLog(this.logger, clock);
    this.log = new DecisionLog(this.logger, config.keepDecisions);
    const thresholds = parseThresholds(config);
    this.isIdle = thresholds.length === 0 && !config.localStorageCapacityIsolation;
    const { rootDir, separateDiskGc } = config;
    const tellsContainerFs = config.runtimeEndpoint.endsWith(crioSocket);
    const detectLayout = createDetectDiskLayout({ images, clock }, { rootDir, tellsContainerFs, separateDiskGc });
    this.look = new NodeLook({ stats, activePods, allocated, detectLayout, clock }, thresholds);
    const evictor = new PodEvictor({ workers, events, metrics, logger: this.logger });
    const statsAge = metrics.histogram({
      name: 'kubelet_eviction_stats_age_seconds',
      help: 'Time between when stats are collected, and when pod is evicted based on those stats by eviction signal',
      labels: ['eviction_signal'],
      buckets: defaultBuckets,
    });
    this.pass = new EvictionPass(
      { look: this.look, evictor, containerGc, imageGc, events, statsAge, clock, logger: this.logger },
      config,
    );
    if (config.kernelMemcgNotification && cgroups !== undefined) {
      const read = createReadMemoryUsage(cgroups);
      const crossed = (): void => void this.synchronize().catch(() => undefined); // it rejects only when stopped
      this.watches = new MemoryWatches(thresholds, { read, clock, logger: this.logger, crossed });
    }
  }

  async start(): Promise<void> {
    const { signal } = this.stopping;
    if (this.loops !== undefined || signal.aborted) return;
    this.leaveAdmission = this.admission.add('eviction', async (pod) =>
      refuseUnderPressure(pod, this.state.conditions),
    );
    this.loops = Promise.all([this.monitor(signal), this.watches?.run(signal)]);
  }

  /** A pod that is just being evicted is ended by its worker; nobody waits for it here. */
  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the eviction manager is stopping', { code: 'cancelled' }));
    this.leaveAdmission?.();
    await this.loops;
  }

  /** Detail: why the node could not be read at the last pass. */
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

  decisions(): readonly EvictionDecision[] {
    return this.log.all();
  }

  synchronize(): Promise<EvictionDecision | undefined> {
    const { signal } = this.stopping;
    return this.onePass.run(() => abortable(this.guardedPass(signal), signal), { signal });
  }

  async dryRun(signal: AbortSignal = this.stopping.signal): Promise<EvictionDecision> {
    this.stopping.signal.throwIfAborted();
    const view = await this.look.view(dryRunMaxAgeMs, 'all', signal);
    const now = this.now();
    return planDryRun(view, this.assess(view, now), this.config, now);
  }

  private async monitor(signal: AbortSignal): Promise<void> {
    const { clock, lifecycle, logger, config } = this;
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
      // A pass and a pause reject only when the signal has aborted.
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
    const whole = await this.look.withAllPods(view, signal);
    const outcome = await this.pass.reclaim(thresholds, whole, signal);
    return this.carryOut(view, now, outcome, signal, threshold.signal);
  }

  /** Recorded before anything ends: a kubelet that is killed meanwhile leaves the reason in its log. */
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
      const view = await this.look.view(0, which, signal);
      this.failure = undefined;
      this.trouble.over('Eviction manager: the node is read again');
      return view;
    } catch (error) {
      if (signal.aborted) throw error;
      this.failure = messageOf(error);
      this.trouble.failed(KubeletError.from(error).code, 'Eviction manager: failed to get summary stats', { error });
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
    return { wallMs: this.clock.now(), monotonicMs: this.clock.monotonic() };
  }
}

// CRI-O's socket, whatever is before it: such as unix:///var.
const crioSocket = 'run/crio/crio.sock';

/** Makes one without a container. Throws `invalid-argument` for options out of range and thresholds that upstream refuses. */
export function createThresholdEvictionManager(
  deps: ThresholdEvictionManagerDeps,
  options: Partial<EvictionConfig> = {},
): ThresholdEvictionManager {
  const config = decodeOptions('eviction', evictionConfigSchema, options);
  const { stats, images, activePods, allocated, workers, lifecycle, containerGc, admission } = deps;
  const { events, clock, logger, metrics, imageGc, cgroups } = deps;
  return new ThresholdEvictionManager(
    ...([stats, images, activePods, allocated, workers, lifecycle, containerGc, admission] as const),
    ...([events, clock, logger, metrics, config, imageGc, cgroups] as const),
  );
}
