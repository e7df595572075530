import {
  ALLOCATED_RESOURCES,
  ALLOCATION_MANAGER,
  type AllocatedResources,
  type AllocationManager,
  type ResizeTrigger,
} from '@podwright/allocation-interface';
import { LOGGER } from '@podwright/assembly-interface';
import { CONTAINER_GC, type ContainerGc } from '@podwright/container-gc-interface';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import { isMirrorPod, podQosClass, podRef, podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { NODE_SOURCE, requiredFeaturesOfUpdate, type NodeSource } from '@podwright/node-status-interface';
import { POD_CONFIG, type PodConfig } from '@podwright/pod-config-interface';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import {
  POD_LIFECYCLE,
  POD_WORKERS,
  type PodLifecycle,
  type PodUpdateType,
  type PodWorkers,
} from '@podwright/pod-workers-interface';
import { STATUS_MANAGER, readinessIsStale, type StatusManager } from '@podwright/status-interface';
import type { SyncHandler } from '@podwright/sync-loop-interface';
import { inject, injectable } from 'tsyringe';
import { Housekeeping } from './housekeeping.js';
import { SYNC_LOOP_CONFIG, type SyncLoopConfig } from './sync-loop-config.js';

const isTerminalPhase = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

/** {@link SyncHandler} over the pod manager, admission and the pod workers. Source: kubernetes v1.36 pkg/kubelet/kubelet.go. */
@injectable()
export class PodHandlers implements SyncHandler {
  constructor(
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(POD_WORKERS) private readonly workers: PodWorkers,
    @inject(POD_LIFECYCLE) private readonly lifecycle: PodLifecycle,
    @inject(POD_CONFIG) private readonly podConfig: PodConfig,
    @inject(ALLOCATION_MANAGER) private readonly allocations: AllocationManager,
    @inject(ALLOCATED_RESOURCES) private readonly allocated: Pick<AllocatedResources, 'withAllocation'>,
    @inject(STATUS_MANAGER) private readonly statuses: StatusManager,
    @inject(CONTAINER_GC) private readonly containerGc: ContainerGc,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(Housekeeping) private readonly housekeeping: Housekeeping,
    @inject(NODE_SOURCE) private readonly node: Pick<NodeSource, 'declaredFeatures'>,
    @inject(SYNC_LOOP_CONFIG) private readonly config: Pick<SyncLoopConfig, 'nodeDeclaredFeatures'>,
  ) {}

  async handlePodAdditions(pods: readonly Pod[]): Promise<void> {
    const created = (pod: Pod): string => pod.metadata.creationTimestamp ?? '';
    const admitted: Pod[] = [];
    const starts: Promise<void>[] = [];
    for (const pod of [...pods].sort((left, right) =>
      created(left) < created(right) ? -1 : created(left) > created(right) ? 1 : 0,
    )) {
      this.pods.addPod(pod);
      if (isMirrorPod(pod)) {
        this.updateStaticPodOf(pod);
        continue;
      }
      const admission = await this.admit(pod);
      if (admission === undefined) continue;
      admitted.push(pod);
      // The next pod is judged meanwhile, and what it is granted goes into the same write.
      starts.push(admission.stored.then(() => this.update(pod, 'create')));
    }
    await Promise.all(starts);
    // Only when all are there: room that a pod of this batch has must not be given away.
    if (this.allocations.noticeAdded(admitted)) void this.allocations.retryPendingResizes('pods_added');
    this.housekeeping.markChanged();
  }

  handlePodUpdates(pods: readonly Pod[]): void {
    let waits = false;
    for (const pod of pods) {
      const old = this.pods.getPodByUid(podUid(pod));
      this.pods.updatePod(pod);
      if (isMirrorPod(pod)) {
        this.updateStaticPodOf(pod);
        continue;
      }
      if (this.allocations.noticeUpdated(old, pod)) waits = true;
      if (old !== undefined) this.tellMissingFeatures(old, pod);
      this.update(pod, 'update');
    }
    // Not waited for: a resize that is granted brings a sync of its own.
    if (waits) void this.allocations.retryPendingResizes('pod_updated');
  }

  handlePodRemoves(pods: readonly Pod[]): void {
    for (const pod of pods) {
      this.pods.removePod(pod);
      this.allocations.removePod(podUid(pod));
      if (isMirrorPod(pod)) this.updateStaticPodOf(pod);
      // Before all sources have spoken a pod may only look unwanted; housekeeping finds it again.
      else if (this.podConfig.allSourcesReady()) this.workers.updatePod({ type: 'kill', pod });
    }
    void this.allocations.retryPendingResizes('pods_removed');
    this.housekeeping.markChanged();
  }

  handlePodReconcile(pods: readonly Pod[]): void {
    let trigger: ResizeTrigger | undefined;
    for (const pod of pods) {
      const old = this.pods.getPodByUid(podUid(pod));
      this.pods.updatePod(pod);
      // What a mirror pod shows comes from here; what it should show, the status manager looks after.
      if (isMirrorPod(pod)) continue;
      trigger ??= this.allocations.noticeReconciled(old, pod);
      // Somebody else has changed a readiness gate: only a sync brings Ready in line with it.
      if (readinessIsStale(pod)) this.update(pod, 'sync');
      if (pod.status?.phase === 'Failed' && pod.status.reason === 'Evicted')
        this.containerGc.deleteDeadContainers(podUid(pod), { all: true });
    }
    if (trigger !== undefined) void this.allocations.retryPendingResizes(trigger);
  }

  handlePodSyncs(pods: readonly Pod[]): void {
    for (const pod of pods) this.update(pod, 'sync');
  }

  async handlePodCleanups(): Promise<void> {
    await this.housekeeping.clean();
  }

  // Workers know what a pod was granted, never what it asks for.
  private update(given: Pod, type: PodUpdateType): void {
    const mirrorPod = this.pods.getMirrorPodOf(given);
    const pod = this.allocated.withAllocation(given);
    this.workers.updatePod({ type, pod, ...(mirrorPod !== undefined && { mirrorPod }) });
  }

  // No more than told: the API server is who refuses such an update.
  private tellMissingFeatures(old: Pod, pod: Pod): void {
    if (!this.config.nodeDeclaredFeatures) return;
    const declared = this.node.declaredFeatures();
    const missing = requiredFeaturesOfUpdate(old, pod).filter((feature) => !declared.includes(feature));
    if (missing.length === 0) return;
    const message = `Pod requires node features that are not available: ${missing.join(', ')}`;
    this.events.event({ kind: 'Pod', pod }, 'Warning', 'FailedNodeDeclaredFeaturesCheck', message);
  }

  // A mirror pod that was removed is missing in this update already, so that the sync makes it anew at once.
  private updateStaticPodOf(mirrorPod: Pod): void {
    const pod = this.pods.getPodOfMirror(mirrorPod);
    if (pod === undefined)
      this.logger.debug(2, 'Unable to find pod for mirror pod, skipping', { mirrorPod: podRef(mirrorPod) });
    else this.update(pod, 'update');
  }

  // Undefined for a refused pod, else when it may start. A pod that is on its way out, or was rejected before, is not
  // judged again: its worker only has to end it.
  private async admit(pod: Pod): Promise<{ readonly stored: Promise<void> } | undefined> {
    const over = this.lifecycle.isTerminationRequested(podUid(pod)) || isTerminalPhase(pod.status?.phase);
    if (over) return { stored: Promise.resolve() };
    const { result, stored } = await this.allocations.admitPod(pod);
    if (result.admit) return { stored };
    this.logger.warn('Pod was rejected', { pod: podRef(pod), reason: result.reason, message: result.message });
    this.events.event({ kind: 'Pod', pod }, 'Warning', result.reason, result.message);
    this.statuses.setPodStatus(pod, {
      qosClass: podQosClass(pod),
      phase: 'Failed',
      reason: result.reason,
      message: `Pod was rejected: ${result.message}`,
    });
    return undefined;
  }
}
