import { ADMISSION, type AdmissionRefusal } from '@podwright/admission-interface';
import {
  ALLOCATED_RESOURCES,
  RESIZE_CONDITIONS,
  type AllocationDecision,
  type AllocationManager,
  type ResizeTrigger,
} from '@podwright/allocation-interface';
import { CLOCK, LOGGER, METRICS, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { Mutex } from '@podwright/concurrency';
import { EVENT_RECORDER } from '@podwright/events-interface';
import {
  compareQuantities,
  deepEqual,
  isTerminalPhase,
  podRef,
  podRequests,
  podUid,
  type Pod,
} from '@podwright/kube-types';
import { JOURNAL } from '@podwright/journal-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import type { Timer } from '@podwright/time';
import type { AllocationManagerConfig } from './allocation-manager-config.js';
import { podLevelChanged, requestedResizes } from './requested-resizes.js';
import { ResizeDecision } from './resize-decision.js';
import { resizeInfeasibility } from './resize-feasibility.js';
import { registerResizeMetrics, type ResizeMetrics } from './resize-metrics.js';
import { inResizeOrder, type ResizeCandidate } from './resize-order.js';

const isTerminal = (pod: Pod): boolean => isTerminalPhase(pod.status?.phase);

export const allocationManagerNeeds = needs({
  admission: ADMISSION,
  allocated: ALLOCATED_RESOURCES,
  conditions: RESIZE_CONDITIONS,
  activePods: ACTIVE_PODS,
  pods: pick(POD_MANAGER, 'getPodByUid'),
  podConfig: pick(POD_CONFIG, 'allSourcesReady'),
  events: EVENT_RECORDER,
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  journal: optional(JOURNAL),
});

/** {@link AllocationManager} with one queue of pending resizes, retried on events and periodically. */
export class QueueingAllocationManager implements AllocationManager {
  // Admissions and resizes compete for the same node, so they are decided one at a time.
  private readonly mutex = new Mutex();
  private readonly pending = new Set<string>();
  private readonly listeners = new Set<(podUid: string) => void>();
  private readonly metrics: ResizeMetrics;
  private readonly decision: ResizeDecision;
  private timer: Timer | undefined;
  private running = false;

  constructor(
    private readonly deps: Needs<typeof allocationManagerNeeds>,
    private readonly config: AllocationManagerConfig,
  ) {
    const { admission, allocated, conditions, events, metrics, journal } = deps;
    this.metrics = registerResizeMetrics(metrics, conditions);
    this.decision = new ResizeDecision({ admission, allocated, conditions, events, journal }, (pod) =>
      this.refuseResize(pod),
    );
  }

  async start(): Promise<void> {
    this.running = true;
    this.retryIn(this.config.firstRetryMs);
  }

  async stop(): Promise<void> {
    this.running = false;
    this.timer?.cancel();
  }

  // Checked before anything else: an infeasible resize does not depend on free resources.
  private refuseResize(pod: Pod): AdmissionRefusal | undefined {
    const allocated = this.deps.allocated.withAllocation(pod);
    const infeasible = resizeInfeasibility({ pod, allocated, config: this.config });
    if (infeasible === undefined) return undefined;
    this.metrics.infeasible.increment({ reason_detail: infeasible.detail });
    return { admit: false, reason: 'Infeasible', message: infeasible.message };
  }

  admitPod(pod: Pod): Promise<AllocationDecision> {
    return this.mutex.run(async () => {
      const granted = this.config.inPlaceResize ? this.deps.allocated.withAllocation(pod) : pod;
      const result = await this.deps.admission.admit(granted, this.othersThan(pod));
      const stored = result.admit && this.config.inPlaceResize ? this.store(granted) : Promise.resolve();
      return { result, stored };
    });
  }

  noticeAdded(pods: readonly Pod[]): boolean {
    const waiting = pods.filter((pod) => this.differs(pod));
    for (const pod of pods) this.deps.conditions.backfill(pod);
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
    this.deps.conditions.clearPending(uid);
    return false;
  }

  noticeReconciled(oldPod: Pod | undefined, pod: Pod): ResizeTrigger | undefined {
    if (this.pending.size === 0 || oldPod === undefined) return undefined;
    if (this.shrank(oldPod, pod)) return 'pod_resized';
    return isTerminal(pod) && !isTerminal(oldPod) ? 'pod_terminated' : undefined;
  }

  removePod(uid: string): void {
    this.pending.delete(uid);
    this.deps.conditions.forget(uid);
    // If the removal fails, the removal of orphans repeats it.
    this.deps.allocated
      .remove(uid)
      .catch((error: unknown) => this.deps.logger.debug(3, 'Failed to delete pod allocation', { podUid: uid, error }));
  }

  removeOrphans(uids: ReadonlySet<string>): void {
    for (const uid of this.deps.conditions.podUids()) if (!uids.has(uid)) this.deps.conditions.forget(uid);
    this.deps.allocated
      .removeOrphans(uids)
      .catch((error: unknown) => this.deps.logger.error('Failed to remove allocations of orphaned pods', { error }));
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
      .catch((error: unknown) => this.deps.logger.error('Pending resizes could not be tried', { trigger, error }));
  }

  private async retry(trigger: ResizeTrigger): Promise<void> {
    if (!this.running) return;
    if (!this.deps.podConfig.allSourcesReady()) {
      this.deps.logger.debug(4, 'Skipping evaluation of pending resizes; sources are not ready');
      return this.retryIn(this.config.firstRetryMs);
    }
    this.retryIn(this.config.retryMs);
    for (const { pod } of inResizeOrder(this.candidates(), { skipPodLevel: !this.config.podLevelResources })) {
      await this.tryOne(pod, trigger);
    }
  }

  private async tryOne(pod: Pod, trigger: ResizeTrigger): Promise<void> {
    const uid = podUid(pod);
    const before = this.deps.conditions.of(uid);
    const wasDeferred = before.some(({ reason }) => reason === 'Deferred');
    // Remove it first: if the spec changes again during the decision, it must be queued again.
    this.pending.delete(uid);
    const outcome = await this.decision.decide(pod, this.othersThan(pod)).catch((error: unknown) => {
      this.deps.logger.error('Failed to handle pod resources resize', { pod: podRef(pod), error });
      return 'failed' as const;
    });
    this.deps.logger.debug(4, 'Pod resize was evaluated', { pod: podRef(pod), outcome, trigger });
    if (outcome === 'Deferred' || outcome === 'failed') this.pending.add(uid);
    if (outcome === 'granted' && wasDeferred) this.metrics.deferredAccepted.increment({ retry_trigger: trigger });
    if (outcome !== 'granted' && deepEqual(before, this.deps.conditions.of(uid))) return;
    for (const listener of this.listeners) listener(uid);
  }

  private candidates(): readonly ResizeCandidate[] {
    return [...this.pending].flatMap((uid) => {
      const pod = this.deps.pods.getPodByUid(uid);
      if (pod === undefined) this.pending.delete(uid);
      return pod === undefined
        ? []
        : [{ pod, allocated: this.deps.allocated.withAllocation(pod), conditions: this.deps.conditions.of(uid) }];
    });
  }

  private differs(pod: Pod): boolean {
    return this.config.inPlaceResize && this.deps.allocated.withAllocation(pod) !== pod;
  }

  // Pods without an allocation have not been admitted yet, and may be rejected.
  private othersThan(pod: Pod): readonly Pod[] {
    const others = this.deps.activePods.list().filter((other) => podUid(other) !== podUid(pod));
    if (!this.config.inPlaceResize) return others;
    return others
      .filter((other) => this.deps.allocated.of(podUid(other)) !== undefined)
      .map((other) => this.deps.allocated.withAllocation(other));
  }

  private shrank(oldPod: Pod, pod: Pod): boolean {
    const { podLevelResources, podLevelResize } = this.config;
    const options = { useStatus: true, skipPodLevel: !podLevelResources, podLevelStatus: podLevelResize };
    const [before, now] = [oldPod, pod].map((each) => podRequests(this.deps.allocated.withAllocation(each), options));
    return ['memory', 'cpu'].some((name) => compareQuantities(now?.[name], before?.[name]) < 0);
  }

  // As upstream, an admitted pod runs even if this fails; a restart may then judge it by its spec.
  private store(pod: Pod): Promise<void> {
    return this.deps.allocated
      .store(pod)
      .catch((error: unknown) => this.deps.logger.error('SetPodAllocation failed', { pod: podRef(pod), error }));
  }

  private retryIn(delayMs: number): void {
    this.timer?.cancel();
    this.timer = this.deps.clock.setTimer(delayMs, () => void this.retryPendingResizes('periodic_retry'));
  }
}
