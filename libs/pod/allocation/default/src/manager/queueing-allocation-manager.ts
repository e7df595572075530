import { ADMISSION, ADMISSION_HANDLERS, type Admission, type AdmissionHandlers } from '@podwright/admission-interface';
import {
  ALLOCATED_RESOURCES,
  RESIZE_CONDITIONS,
  type AllocatedResources,
  type AllocationDecision,
  type AllocationManager,
  type ResizeConditions,
  type ResizeTrigger,
} from '@podwright/allocation-interface';
import { CLOCK, LOGGER, METRICS } from '@podwright/assembly-interface';
import { Mutex } from '@podwright/concurrency';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import { compareQuantities, deepEqual, podRef, podUid, type Node, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { NODE_SOURCE, type NodeSource } from '@podwright/node-status-interface';
import { POD_CONFIG, type PodConfig } from '@podwright/pod-config-interface';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { ACTIVE_PODS, type ActivePods } from '@podwright/pod-workers-interface';
import type { Clock, Timer } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { ALLOCATION_MANAGER_CONFIG, type AllocationManagerConfig } from './allocation-manager-config.js';
import { podLevelChanged, requestedResizes } from './requested-resizes.js';
import { requestsWithStatus } from './requests-with-status.js';
import { ResizeDecision } from './resize-decision.js';
import { resizeInfeasibility } from './resize-feasibility.js';
import { registerResizeMetrics, type ResizeMetrics } from './resize-metrics.js';
import { inResizeOrder, type ResizeCandidate } from './resize-order.js';

const isTerminal = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** {@link AllocationManager} with one queue of pending resizes, tried by events and from time to time. */
@injectable()
export class QueueingAllocationManager implements AllocationManager {
  // Admissions and resizes take from the same node, so that they are judged one after the other.
  private readonly mutex = new Mutex();
  private readonly pending = new Set<string>();
  private readonly listeners = new Set<(podUid: string) => void>();
  private readonly metrics: ResizeMetrics;
  private readonly decision: ResizeDecision;
  private timer: Timer | undefined;
  private removeHandler: (() => void) | undefined;
  private running = false;

  constructor(
    @inject(ADMISSION) private readonly admission: Admission,
    @inject(ADMISSION_HANDLERS) private readonly handlers: AdmissionHandlers,
    @inject(ALLOCATED_RESOURCES) private readonly allocated: AllocatedResources,
    @inject(RESIZE_CONDITIONS) private readonly conditions: ResizeConditions,
    @inject(ACTIVE_PODS) private readonly activePods: ActivePods,
    @inject(POD_MANAGER) private readonly pods: Pick<PodManager, 'getPodByUid'>,
    @inject(POD_CONFIG) private readonly podConfig: Pick<PodConfig, 'allSourcesReady'>,
    @inject(NODE_SOURCE) private readonly nodeSource: Pick<NodeSource, 'getNode'>,
    @inject(EVENT_RECORDER) events: EventRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(ALLOCATION_MANAGER_CONFIG) private readonly config: AllocationManagerConfig,
  ) {
    this.metrics = registerResizeMetrics(metrics, conditions);
    this.decision = new ResizeDecision(admission, allocated, conditions, events);
  }

  async start(): Promise<void> {
    this.running = true;
    this.removeHandler = this.handlers.add('resize', async (pod, _others, operation) => {
      if (operation !== 'resize') return undefined;
      const allocated = this.allocated.withAllocation(pod);
      const infeasible = resizeInfeasibility({ pod, allocated, node: this.node(), config: this.config });
      if (infeasible === undefined) return undefined;
      this.metrics.infeasible.increment({ reason_detail: infeasible.detail });
      return { admit: false, reason: 'Infeasible', message: infeasible.message };
    });
    this.retryIn(this.config.firstRetryMs);
  }

  async stop(): Promise<void> {
    this.running = false;
    this.timer?.cancel();
    this.removeHandler?.();
    this.removeHandler = undefined;
  }

  admitPod(pod: Pod): Promise<AllocationDecision> {
    return this.mutex.run(async () => {
      const granted = this.config.inPlaceResize ? this.allocated.withAllocation(pod) : pod;
      const result = await this.admission.admit(granted, this.othersThan(pod));
      const stored = result.admit && this.config.inPlaceResize ? this.store(granted) : Promise.resolve();
      return { result, stored };
    });
  }

  noticeAdded(pods: readonly Pod[]): boolean {
    const waiting = pods.filter((pod) => this.differs(pod));
    for (const pod of pods) this.conditions.backfill(pod);
    for (const pod of waiting) this.pending.add(podUid(pod));
    return waiting.length > 0;
  }

  noticeUpdated(oldPod: Pod | undefined, pod: Pod): boolean {
    if (!this.config.inPlaceResize) return false;
    if (oldPod !== undefined) {
      const requested = requestedResizes(oldPod, pod, this.config);
      for (const labels of requested) this.metrics.requested.increment(labels);
      if (requested.length === 0 && !podLevelChanged(oldPod, pod)) return false;
    }
    const uid = podUid(pod);
    if (this.differs(pod)) {
      this.pending.add(uid);
      return true;
    }
    this.pending.delete(uid);
    this.conditions.clearPending(uid);
    return false;
  }

  noticeReconciled(oldPod: Pod | undefined, pod: Pod): ResizeTrigger | undefined {
    if (this.pending.size === 0 || oldPod === undefined) return undefined;
    if (this.shrank(oldPod, pod)) return 'pod_resized';
    return isTerminal(pod) && !isTerminal(oldPod) ? 'pod_terminated' : undefined;
  }

  removePod(uid: string): void {
    this.pending.delete(uid);
    this.conditions.forget(uid);
    // What fails here is removed with the orphans.
    this.allocated
      .remove(uid)
      .catch((error: unknown) => this.logger.debug(3, 'Failed to delete pod allocation', { podUid: uid, error }));
  }

  removeOrphans(uids: ReadonlySet<string>): void {
    for (const uid of this.conditions.podUids()) if (!uids.has(uid)) this.conditions.forget(uid);
    this.allocated
      .removeOrphans(uids)
      .catch((error: unknown) => this.logger.error('Failed to remove allocations of orphaned pods', { error }));
  }

  hasPendingResize(uid: string): boolean {
    return this.pending.has(uid);
  }

  watch(listener: (podUid: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async retryPendingResizes(trigger: ResizeTrigger): Promise<void> {
    await this.mutex
      .run(() => this.retry(trigger))
      .catch((error: unknown) => this.logger.error('Pending resizes could not be tried', { trigger, error }));
  }

  private async retry(trigger: ResizeTrigger): Promise<void> {
    if (!this.running) return;
    if (!this.podConfig.allSourcesReady()) {
      this.logger.debug(4, 'Skipping evaluation of pending resizes; sources are not ready');
      return this.retryIn(this.config.firstRetryMs);
    }
    this.retryIn(this.config.retryMs);
    for (const { pod } of inResizeOrder(this.candidates(), { skipPodLevel: !this.config.podLevelResources })) {
      await this.tryOne(pod, trigger);
    }
  }

  private async tryOne(pod: Pod, trigger: ResizeTrigger): Promise<void> {
    const uid = podUid(pod);
    const before = this.conditions.of(uid);
    const wasDeferred = before.some(({ reason }) => reason === 'Deferred');
    // Taken out first: a spec that changes again while this one is judged must find its way back into the queue.
    this.pending.delete(uid);
    const outcome = await this.decision.decide(pod, this.othersThan(pod)).catch((error: unknown) => {
      this.logger.error('Failed to handle pod resources resize', { pod: podRef(pod), error });
      return 'failed' as const;
    });
    this.logger.debug(4, 'Pod resize was looked at', { pod: podRef(pod), outcome, trigger });
    if (outcome === 'Deferred' || outcome === 'failed') this.pending.add(uid);
    if (outcome === 'granted' && wasDeferred) this.metrics.deferredAccepted.increment({ retry_trigger: trigger });
    if (outcome !== 'granted' && deepEqual(before, this.conditions.of(uid))) return;
    for (const listener of this.listeners) listener(uid);
  }

  private candidates(): readonly ResizeCandidate[] {
    return [...this.pending].flatMap((uid) => {
      const pod = this.pods.getPodByUid(uid);
      if (pod === undefined) this.pending.delete(uid);
      return pod === undefined
        ? []
        : [{ pod, allocated: this.allocated.withAllocation(pod), conditions: this.conditions.of(uid) }];
    });
  }

  private differs(pod: Pod): boolean {
    return this.config.inPlaceResize && this.allocated.withAllocation(pod) !== pod;
  }

  // Pods without an allocation are about to be judged themselves, and may be refused.
  private othersThan(pod: Pod): readonly Pod[] {
    const others = this.activePods.list().filter((other) => podUid(other) !== podUid(pod));
    if (!this.config.inPlaceResize) return others;
    return others
      .filter((other) => this.allocated.of(podUid(other)) !== undefined)
      .map((other) => this.allocated.withAllocation(other));
  }

  private shrank(oldPod: Pod, pod: Pod): boolean {
    const options = { skipPodLevel: !this.config.podLevelResources };
    const [before, now] = [oldPod, pod].map((each) => requestsWithStatus(this.allocated.withAllocation(each), options));
    return ['memory', 'cpu'].some((name) => compareQuantities(now?.[name], before?.[name]) < 0);
  }

  // As upstream: a pod that was admitted runs, although a restart may judge it by its spec.
  private store(pod: Pod): Promise<void> {
    return this.allocated
      .store(pod)
      .catch((error: unknown) => this.logger.error('SetPodAllocation failed', { pod: podRef(pod), error }));
  }

  private node(): Node | undefined {
    try {
      return this.nodeSource.getNode();
    } catch (error) {
      this.logger.debug(4, 'The node is not known yet, its capacity is not looked at', { error });
      return undefined;
    }
  }

  private retryIn(delayMs: number): void {
    this.timer?.cancel();
    this.timer = this.clock.setTimer(delayMs, () => void this.retryPendingResizes('periodic_retry'));
  }
}
