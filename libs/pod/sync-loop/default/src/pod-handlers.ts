import { ADMISSION, type Admission } from '@podwright/admission-interface';
import { LOGGER } from '@podwright/assembly-interface';
import { CONTAINER_GC, type ContainerGc } from '@podwright/container-gc-interface';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import { isMirrorPod, podQosClass, podRef, podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { POD_CONFIG, type PodConfig } from '@podwright/pod-config-interface';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import {
  ACTIVE_PODS,
  POD_LIFECYCLE,
  POD_WORKERS,
  type ActivePods,
  type PodLifecycle,
  type PodUpdateType,
  type PodWorkers,
} from '@podwright/pod-workers-interface';
import { STATUS_MANAGER, readinessIsStale, type StatusManager } from '@podwright/status-interface';
import type { SyncHandler } from '@podwright/sync-loop-interface';
import { inject, injectable } from 'tsyringe';
import { Housekeeping } from './housekeeping.js';

const isTerminalPhase = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

/** {@link SyncHandler} over the pod manager, admission and the pod workers. Source: kubernetes v1.36 pkg/kubelet/kubelet.go. */
@injectable()
export class PodHandlers implements SyncHandler {
  constructor(
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(POD_WORKERS) private readonly workers: PodWorkers,
    @inject(POD_LIFECYCLE) private readonly lifecycle: PodLifecycle,
    @inject(ACTIVE_PODS) private readonly activePods: ActivePods,
    @inject(POD_CONFIG) private readonly podConfig: PodConfig,
    @inject(ADMISSION) private readonly admission: Admission,
    @inject(STATUS_MANAGER) private readonly statuses: StatusManager,
    @inject(CONTAINER_GC) private readonly containerGc: ContainerGc,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(Housekeeping) private readonly housekeeping: Housekeeping,
  ) {}

  async handlePodAdditions(pods: readonly Pod[]): Promise<void> {
    const created = (pod: Pod): string => pod.metadata.creationTimestamp ?? '';
    for (const pod of [...pods].sort((left, right) =>
      created(left) < created(right) ? -1 : created(left) > created(right) ? 1 : 0,
    )) {
      this.pods.addPod(pod);
      if (isMirrorPod(pod)) {
        this.updateStaticPodOf(pod);
        continue;
      }
      if (await this.isAdmitted(pod)) this.update(pod, 'create');
    }
    this.housekeeping.markChanged();
  }

  handlePodUpdates(pods: readonly Pod[]): void {
    for (const pod of pods) {
      this.pods.updatePod(pod);
      if (isMirrorPod(pod)) this.updateStaticPodOf(pod);
      else this.update(pod, 'update');
    }
  }

  handlePodRemoves(pods: readonly Pod[]): void {
    for (const pod of pods) {
      this.pods.removePod(pod);
      if (isMirrorPod(pod)) this.updateStaticPodOf(pod);
      // Before all sources have spoken a pod may only look unwanted; housekeeping finds it again.
      else if (this.podConfig.allSourcesReady()) this.workers.updatePod({ type: 'kill', pod });
    }
    this.housekeeping.markChanged();
  }

  handlePodReconcile(pods: readonly Pod[]): void {
    for (const pod of pods) {
      this.pods.updatePod(pod);
      // Somebody else has changed a readiness gate: only a sync brings Ready in line with it.
      if (!isMirrorPod(pod) && readinessIsStale(pod)) this.update(pod, 'sync');
      if (pod.status?.phase === 'Failed' && pod.status.reason === 'Evicted')
        this.containerGc.deleteDeadContainers(podUid(pod), { all: true });
    }
  }

  handlePodSyncs(pods: readonly Pod[]): void {
    for (const pod of pods) this.update(pod, 'sync');
  }

  async handlePodCleanups(): Promise<void> {
    await this.housekeeping.clean();
  }

  private update(pod: Pod, type: PodUpdateType): void {
    const mirrorPod = this.pods.getMirrorPodOf(pod);
    this.workers.updatePod({ type, pod, ...(mirrorPod !== undefined && { mirrorPod }) });
  }

  private updateStaticPodOf(mirrorPod: Pod): void {
    const pod = this.pods.getPodOfMirror(mirrorPod);
    if (pod !== undefined) this.update(pod, 'update');
  }

  // A pod that is on its way out, or was rejected before, is not judged again: its worker only has to end it.
  private async isAdmitted(pod: Pod): Promise<boolean> {
    if (this.lifecycle.isTerminationRequested(podUid(pod)) || isTerminalPhase(pod.status?.phase)) return true;
    const others = this.activePods.list().filter((other) => podUid(other) !== podUid(pod));
    const result = await this.admission.admit(pod, others);
    if (result.admit) return true;
    this.logger.warn('Pod was rejected', { pod: podRef(pod), reason: result.reason, message: result.message });
    this.events.event({ kind: 'Pod', pod }, 'Warning', result.reason, result.message);
    this.statuses.setPodStatus(pod, {
      qosClass: podQosClass(pod),
      phase: 'Failed',
      reason: result.reason,
      message: `Pod was rejected: ${result.message}`,
    });
    return false;
  }
}
