import { resizeMessage, type PodResourceState } from '@podwright/allocation-interface';
import { newestRecord, type RuntimePodStatus, type SyncResult } from '@podwright/container-runtime-interface';
import {
  compareQuantities,
  isSidecar,
  isStaticPod,
  podUid,
  type Pod,
  type PodCondition,
  type ResourceRequirements,
} from '@podwright/kube-types';
import type { PodSyncConfig } from './pod-sync-config.js';
import type { PodSyncNeeds } from './pod-sync-needs.js';

/** Updates the PodResizeInProgress condition with the results of each sync. Pods have their allocated resources. */
export class ResizeProgress {
  constructor(
    private readonly deps: Pick<PodSyncNeeds, 'resizeConditions' | 'allocated' | 'actuated' | 'events'>,
    private readonly config: Pick<PodSyncConfig, 'podLevelResize'>,
  ) {}

  conditionsOf(pod: Pod): readonly PodCondition[] {
    return this.deps.resizeConditions.of(podUid(pod));
  }

  /** First step of a sync: a resize is in progress while a running container does not have its allocated resources. */
  observe(pod: Pod, status: RuntimePodStatus): void {
    const granted = this.deps.allocated.withAllocation(pod);
    if (this.isInProgress(granted, status)) {
      this.deps.resizeConditions.setInProgress(pod, '', '');
      return;
    }
    // This sync's pod may be older than a resize that was just granted, and must not end it: even where nothing runs,
    // it starts containers with the earlier resources.
    if (granted !== pod) return;
    const { changed, generation } = this.deps.resizeConditions.clearInProgress(podUid(pod));
    if (changed) this.tell(pod, 'Normal', 'ResizeCompleted', resizeMessage('completed', pod, generation));
  }

  /**
   * Last step of a sync. True when a relist is worthwhile: after a resize, and after the first of several failed
   * attempts. Not after further ones: each relist triggers a sync at once, but the next attempt must wait.
   */
  note(pod: Pod, results: readonly SyncResult[]): boolean {
    let needsRelist = false;
    for (const { action, error } of results) {
      if (action !== 'ResizePodInPlace') continue;
      needsRelist ||= error === undefined || !this.hasFailed(pod);
      if (error === undefined) continue;
      const { changed, generation } = this.deps.resizeConditions.setInProgress(pod, 'Error', error.message);
      if (changed) this.tell(pod, 'Warning', 'ResizeError', resizeMessage('error', pod, generation, error.message));
    }
    return needsRelist;
  }

  private hasFailed(pod: Pod): boolean {
    return this.conditionsOf(pod).some(({ type, reason }) => type === 'PodResizeInProgress' && reason === 'Error');
  }

  /** Records that the pod's cgroup was created with the allocated resources. */
  async recordPodCgroup(pod: Pod): Promise<void> {
    const { resources } = pod.spec;
    if (resources?.requests !== undefined || resources?.limits !== undefined)
      await this.deps.actuated.setPod(podUid(pod), resources);
  }

  // Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go IsPodResizeInProgress.
  private isInProgress(pod: Pod, status: RuntimePodStatus): boolean {
    if (isStaticPod(pod)) return false;
    const has: PodResourceState | undefined = this.deps.actuated.of(podUid(pod));
    const podLevel = this.config.podLevelResize ? pod.spec.resources : undefined;
    const hasPodLevel = this.config.podLevelResize ? has?.pod : undefined;
    const resizable = [...pod.spec.containers, ...(pod.spec.initContainers ?? []).filter(isSidecar)];
    // Containers that do not run get their resources when they start.
    const running = resizable.filter(({ name }) => newestRecord(status, name)?.state === 'running');
    if (running.some(({ name, resources }) => differs(resources, podLevel, has?.containers[name], hasPodLevel)))
      return true;
    return podLevel !== undefined && hasPodLevel !== undefined && differs(podLevel, undefined, hasPodLevel, undefined);
  }

  private tell(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.deps.events.event({ kind: 'Pod', pod }, type, reason, message);
  }
}

type Requirements = ResourceRequirements | undefined;

/** Whether CPU or memory differ; a container without a limit has the pod's. */
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
