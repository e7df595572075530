import {
  ACTUATED_RESOURCES,
  ALLOCATED_RESOURCES,
  RESIZE_CONDITIONS,
  resizeMessage,
  type ActuatedResources,
  type AllocatedResources,
  type PodResourceState,
  type ResizeConditions,
} from '@podwright/allocation-interface';
import { newestRecord, type RuntimePodStatus, type SyncResult } from '@podwright/container-runtime-interface';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import {
  compareQuantities,
  isSidecar,
  isStaticPod,
  podUid,
  type Pod,
  type PodCondition,
  type PodStatus,
  type ResourceRequirements,
} from '@podwright/kube-types';
import { inject, injectable } from 'tsyringe';
import { POD_SYNC_CONFIG, type PodSyncConfig } from './pod-sync-config.js';

/** Keeps PodResizeInProgress in line with what each sync finds and does. Pods have their allocated resources. */
@injectable()
export class ResizeProgress {
  constructor(
    @inject(RESIZE_CONDITIONS) private readonly resizes: ResizeConditions,
    @inject(ALLOCATED_RESOURCES) private readonly allocated: Pick<AllocatedResources, 'withAllocation'>,
    @inject(ACTUATED_RESOURCES) private readonly actuated: Pick<ActuatedResources, 'of' | 'setPod'>,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(POD_SYNC_CONFIG) private readonly config: Pick<PodSyncConfig, 'podLevelResize'>,
  ) {}

  conditionsOf(pod: Pod): readonly PodCondition[] {
    return this.resizes.of(podUid(pod));
  }

  /** Pod-level resources as the status shows them: what was granted, and what the pod's cgroup has accepted. */
  podLevelStatus(pod: Pod): Pick<PodStatus, 'allocatedResources' | 'resources'> {
    const { resources } = pod.spec;
    if (!this.config.podLevelResize || resources === undefined) return {};
    const { limits, requests } = this.actuated.of(podUid(pod))?.pod ?? resources;
    return {
      ...(resources.requests !== undefined && { allocatedResources: resources.requests }),
      resources: { ...(limits !== undefined && { limits }), ...(requests !== undefined && { requests }) },
    };
  }

  /** The first step of a sync: a resize goes on as long as something running has not got what was granted. */
  look(pod: Pod, status: RuntimePodStatus): void {
    const granted = this.allocated.withAllocation(pod);
    if (this.isInProgress(granted, status)) {
      this.resizes.setInProgress(pod, '', '');
      return;
    }
    // The pod of this sync may be older than a resize that has just been granted, and must not end it: also where nothing
    // runs, this sync starts containers with what they had before.
    if (granted !== pod) return;
    const { changed, generation } = this.resizes.clearInProgress(podUid(pod));
    if (changed) this.tell(pod, 'Normal', 'ResizeCompleted', resizeMessage('completed', pod, generation));
  }

  /**
   * The last step of a sync. True when what the pod has got is worth a look: after a resize, and after the first of several
   * attempts that fail. Each look brings a sync at once, and the next attempt is to wait its time.
   */
  note(pod: Pod, results: readonly SyncResult[]): boolean {
    let isNews = false;
    for (const { action, error } of results) {
      if (action !== 'ResizePodInPlace') continue;
      isNews ||= error === undefined || !this.hasFailed(pod);
      if (error === undefined) continue;
      const { changed, generation } = this.resizes.setInProgress(pod, 'Error', error.message);
      if (changed) this.tell(pod, 'Warning', 'ResizeError', resizeMessage('error', pod, generation, error.message));
    }
    return isNews;
  }

  private hasFailed(pod: Pod): boolean {
    return this.conditionsOf(pod).some(({ type, reason }) => type === 'PodResizeInProgress' && reason === 'Error');
  }

  /** The pod's cgroup was made with what was granted. */
  async recordPodCgroup(pod: Pod): Promise<void> {
    const { resources } = pod.spec;
    if (resources?.requests !== undefined || resources?.limits !== undefined)
      await this.actuated.setPod(podUid(pod), resources);
  }

  // Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go IsPodResizeInProgress.
  private isInProgress(pod: Pod, status: RuntimePodStatus): boolean {
    if (isStaticPod(pod)) return false;
    const has: PodResourceState | undefined = this.actuated.of(podUid(pod));
    const podLevel = this.config.podLevelResize ? pod.spec.resources : undefined;
    const hasPodLevel = this.config.podLevelResize ? has?.pod : undefined;
    const resizable = [...pod.spec.containers, ...(pod.spec.initContainers ?? []).filter(isSidecar)];
    // What does not run gets its share when it is started.
    const running = resizable.filter(({ name }) => newestRecord(status, name)?.state === 'running');
    if (running.some(({ name, resources }) => differs(resources, podLevel, has?.containers[name], hasPodLevel)))
      return true;
    return podLevel !== undefined && hasPodLevel !== undefined && differs(podLevel, undefined, hasPodLevel, undefined);
  }

  private tell(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.events.event({ kind: 'Pod', pod }, type, reason, message);
  }
}

type Requirements = ResourceRequirements | undefined;

/** Whether CPU or memory differ; without a limit of its own a container has the pod's. */
function differs(granted: Requirements, grantedPod: Requirements, has: Requirements, hasPod: Requirements): boolean {
  return ['cpu', 'memory'].some(
    (name) =>
      compareQuantities(granted?.requests?.[name], has?.requests?.[name]) !== 0 ||
      compareQuantities(limitOf(name, granted, grantedPod), limitOf(name, has, hasPod)) !== 0,
  );
}

function limitOf(name: string, own: Requirements, pod: Requirements): string | undefined {
  const limit = own?.limits?.[name];
  return compareQuantities(limit, undefined) === 0 ? pod?.limits?.[name] : limit;
}
