import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';

/**
 * Probes the containers of pods, one worker per pod, container and kind of probe: regular containers and sidecars (init
 * containers that run on), no other ones. Calls come in any order, also twice and for pods that are not known; none of
 * them waits. `stop()` ends every attempt and socket, and forgets nothing that the next process has to know.
 * Source: kubernetes v1.36 pkg/kubelet/prober/prober_manager.go.
 */
export interface ProbeManager extends Lifecycle {
  /** Makes the missing workers of the pod's containers. A worker keeps the spec that it was made with. */
  addPod(pod: Pod): void;
  /** The pod terminates: liveness and startup probes of its regular containers end. Sidecars and readiness go on. */
  stopLivenessAndStartup(pod: Pod): void;
  /** Ends the workers of the pod and removes their results. */
  removePod(pod: Pod): void;
  /** Ends the workers of all pods that are not in the set, and removes their results. */
  cleanupPods(podUids: ReadonlySet<string>): void;
  /**
   * Returns the status with `ready` and `started` of each container filled in by the probe results; nothing else is
   * changed, and lists that are absent stay so. A container that is started but not ready gets its readiness probe at once.
   * Right for containers of an earlier kubelet process as well, before any worker has looked at them.
   */
  withProbeResults(pod: Pod, status: PodStatus): PodStatus;
}

export const PROBE_MANAGER = createToken<ProbeManager>('kubelet.probe-manager/v1');
