import type { ResizeTrigger } from '@podwright/allocation-interface';
import {
  isMirrorPod,
  isStaticPod,
  isTerminalPhase,
  podQosClass,
  podRef,
  podUid,
  readinessIsStale,
  requiredFeaturesOfUpdate,
  type Pod,
  type PodSource,
} from '@podwright/kube-types';
import type { PodUpdateType } from '@podwright/pod-workers-interface';
import type { SyncHandler } from '@podwright/sync-loop-interface';
import type { Housekeeping } from './housekeeping.js';
import type { SyncLoopConfig } from './sync-loop-config.js';
import type { SyncLoopNeeds } from './sync-loop-needs.js';

/**
 * {@link SyncHandler} on top of the pod manager, admission and the pod workers. Source: kubernetes v1.36
 * pkg/kubelet/kubelet.go.
 */
export class PodHandlers implements SyncHandler {
  constructor(
    private readonly deps: SyncLoopNeeds & { readonly housekeeping: Housekeeping },
    private readonly config: Pick<SyncLoopConfig, 'nodeDeclaredFeatures'>,
  ) {}

  async handlePodAdditions(pods: readonly Pod[]): Promise<void> {
    const created = (pod: Pod): string => pod.metadata.creationTimestamp ?? '';
    const admitted: Pod[] = [];
    const starts: Promise<void>[] = [];
    for (const pod of [...pods].sort((left, right) =>
      created(left) < created(right) ? -1 : created(left) > created(right) ? 1 : 0,
    )) {
      this.deps.pods.addPod(pod);
      if (isMirrorPod(pod)) {
        this.updateStaticPodOf(pod);
        continue;
      }
      this.deps.podCertificates.trackPod(pod);
      const admission = await this.admit(pod);
      if (admission === undefined) continue;
      admitted.push(pod);
      // Meanwhile the next pod is admitted, and its allocation goes into the same write.
      starts.push(admission.stored.then(() => this.update(pod, 'create')));
    }
    await Promise.all(starts);
    // Only after the whole batch: resizes must not take resources that a pod of this batch has.
    if (this.deps.allocations.noticeAdded(admitted)) void this.deps.allocations.retryPendingResizes('pods_added');
    this.deps.housekeeping.markChanged();
  }

  async handlePodUpdates(pods: readonly Pod[]): Promise<void> {
    const resized: Pod[] = [];
    for (const pod of pods) {
      const old = this.deps.pods.getPodByUid(podUid(pod));
      this.deps.pods.updatePod(pod);
      if (isMirrorPod(pod)) {
        this.updateStaticPodOf(pod);
        continue;
      }
      const waits = this.deps.allocations.noticeUpdated(old, pod);
      if (old !== undefined) this.tellMissingFeatures(old, pod);
      if (waits) resized.push(pod);
      else this.update(pod, 'update');
    }
    if (resized.length === 0) return;
    // Before its worker sees it: a status that names the new generation without a resize condition says that the resize
    // is over.
    await this.deps.allocations.retryPendingResizes('pod_updated');
    for (const pod of resized) this.update(pod, 'update');
  }

  handlePodRemoves(pods: readonly Pod[]): void {
    for (const pod of pods) {
      this.deps.podCertificates.forgetPod(podUid(pod));
      this.deps.pods.removePod(pod);
      this.deps.allocations.removePod(podUid(pod));
      if (isMirrorPod(pod)) this.updateStaticPodOf(pod);
      // Until all sources are ready a pod may only seem unwanted; housekeeping finds it again. A static pod comes from
      // one source alone, which has had it before.
      else if (isStaticPod(pod) || this.deps.podConfig.allSourcesReady())
        this.deps.workers.updatePod({ type: 'kill', pod });
    }
    void this.deps.allocations.retryPendingResizes('pods_removed');
    this.deps.housekeeping.markChanged();
  }

  handlePodReconcile(pods: readonly Pod[]): void {
    let trigger: ResizeTrigger | undefined;
    for (const pod of pods) {
      const old = this.deps.pods.getPodByUid(podUid(pod));
      this.deps.pods.updatePod(pod);
      // The status manager compares and repairs mirror pods.
      if (isMirrorPod(pod)) continue;
      trigger ??= this.deps.allocations.noticeReconciled(old, pod);
      // Something else has changed a readiness gate: only a sync updates Ready.
      if (readinessIsStale(pod)) this.update(pod, 'sync');
      if (pod.status?.phase === 'Failed' && pod.status.reason === 'Evicted')
        this.deps.containerGc.deleteDeadContainers(podUid(pod), { all: true });
    }
    if (trigger !== undefined) void this.deps.allocations.retryPendingResizes(trigger);
  }

  handlePodSyncs(pods: readonly Pod[]): void {
    for (const pod of pods) this.update(pod, 'sync');
  }

  async handlePodCleanups(sources?: ReadonlySet<PodSource>): Promise<void> {
    await this.deps.housekeeping.clean(sources);
  }

  // Workers get the allocated resources, never those of the spec.
  private update(given: Pod, type: PodUpdateType): void {
    const mirrorPod = this.deps.pods.getMirrorPodOf(given);
    const pod = this.deps.allocated.withAllocation(given);
    this.deps.workers.updatePod({ type, pod, ...(mirrorPod !== undefined && { mirrorPod }) });
  }

  // Only records an event: rejecting such an update is up to the API server.
  private tellMissingFeatures(old: Pod, pod: Pod): void {
    if (!this.config.nodeDeclaredFeatures) return;
    const declared = this.deps.node.declaredFeatures();
    const missing = requiredFeaturesOfUpdate(old, pod).filter((feature) => !declared.includes(feature));
    if (missing.length === 0) return;
    const message = `Pod requires node features that are not available: ${missing.join(', ')}`;
    this.deps.events.event({ kind: 'Pod', pod }, 'Warning', 'FailedNodeDeclaredFeaturesCheck', message);
  }

  // A removed mirror pod is missing in this update already, so the sync creates it again at once.
  private updateStaticPodOf(mirrorPod: Pod): void {
    const pod = this.deps.pods.getPodOfMirror(mirrorPod);
    if (pod === undefined)
      this.deps.logger.debug(2, 'Unable to find pod for mirror pod, skipping', { mirrorPod: podRef(mirrorPod) });
    else this.update(pod, 'update');
  }

  // Undefined for a rejected pod, else when it may start. Does not check a pod again that is terminating or was
  // rejected before: its worker only has to end it.
  private async admit(pod: Pod): Promise<{ readonly stored: Promise<void> } | undefined> {
    const over = this.deps.lifecycle.isTerminationRequested(podUid(pod)) || isTerminalPhase(pod.status?.phase);
    if (over) return { stored: Promise.resolve() };
    const { result, stored } = await this.deps.allocations.admitPod(pod);
    if (result.admit) return { stored };
    this.deps.logger.warn('Pod was rejected', { pod: podRef(pod), reason: result.reason, message: result.message });
    this.deps.events.event({ kind: 'Pod', pod }, 'Warning', result.reason, result.message);
    this.deps.statuses.setPodStatus(pod, {
      qosClass: podQosClass(pod),
      phase: 'Failed',
      reason: result.reason,
      message: `Pod was rejected: ${result.message}`,
    });
    return undefined;
  }
}
