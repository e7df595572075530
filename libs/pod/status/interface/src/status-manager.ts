import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';

/**
 * Keeps the newest status of each pod and brings it to the API server where there is one. The only place where an API
 * status is kept. After a restart of the kubelet `start()` brings back what was accepted before of static pods, and how pods
 * have ended, so that times, restart counts and readiness go on: without foreign conditions, not for pods that were
 * refused, and without the terminal phase of static pods. The rest may come from the API object, as in upstream. Source: kubernetes v1.36 pkg/kubelet/status/status_manager.go.
 */
export interface StatusManager extends Lifecycle {
  getPodStatus(podUid: string): PodStatus | undefined;
  /** Accepts a full status by upstream's rules: illegal container transitions and equal statuses are dropped. */
  setPodStatus(pod: Pod, status: PodStatus): void;
  /** `containerId` with its runtime prefix, such as `containerd://...`. Regenerates Ready and ContainersReady. */
  setContainerReadiness(podUid: string, containerId: string, ready: boolean): void;
  setContainerStartup(podUid: string, containerId: string, started: boolean): void;
  /** End of the pod: containers without a terminated state get one, non-static pods a terminal phase. */
  terminatePod(pod: Pod): void;
  /** Forgets pods that are not in the set. */
  removeOrphanedStatuses(podUids: ReadonlySet<string>): void;
  /** Called after each accepted change. Returns unsubscribe. */
  watch(listener: (podUid: string, status: PodStatus) => void): () => void;
}

export const STATUS_MANAGER = createToken<StatusManager>('kubelet.status-manager/v1');
