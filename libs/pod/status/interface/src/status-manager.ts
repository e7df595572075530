import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';

/** A stored change of a status. */
export interface StatusChange {
  /** As the caller had it; other parts may have forgotten a pod that ends. */
  readonly pod: Pod;
  /** True for the change of {@link StatusManager.terminatePod}. */
  readonly ended: boolean;
}

/**
 * Keeps the latest status of each pod, and sends it to the API server where there is one. No other manager stores pod
 * statuses. After a restart of the kubelet, `start()` restores at least the statuses of static pods and of pods in a
 * terminal phase, so that times, restart counts and readiness continue. It does not restore conditions that others
 * write, statuses of rejected pods, or the terminal phase of a static pod. The rest may come from the API object, as
 * upstream.
 * Source: kubernetes v1.36 pkg/kubelet/status/status_manager.go.
 */
export interface StatusManager extends Lifecycle {
  getPodStatus(podUid: string): PodStatus | undefined;
  /**
   * Stores a full status by upstream's rules: ignores illegal container transitions and statuses equal to the last one.
   */
  setPodStatus(pod: Pod, status: PodStatus): void;
  /** `containerId` with its runtime prefix, such as `containerd://...`. Regenerates Ready and ContainersReady. */
  setContainerReadiness(podUid: string, containerId: string, ready: boolean): void;
  setContainerStartup(podUid: string, containerId: string, started: boolean): void;
  /**
   * Call it when the pod has ended: gives containers without a terminated state one, and non-static pods a terminal
   * phase.
   */
  terminatePod(pod: Pod): void;
  /** Forgets pods that are not in the set. */
  removeOrphanedStatuses(podUids: ReadonlySet<string>): void;
  /** Calls `listener` after each stored change. Returns unsubscribe. */
  watch(listener: (podUid: string, status: PodStatus, change: StatusChange) => void): () => void;
}

export const STATUS_MANAGER = createToken<StatusManager>('kubelet.status-manager/v1');
