import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';

/**
 * Probes regular containers and sidecars (restartable init containers), with one worker per pod, container and kind of
 * probe. Calls may come in any order, repeatedly and for unknown pods; none of them blocks. `stop()` ends every attempt
 * and socket, but keeps the results that the next process needs.
 * Source: kubernetes v1.36 pkg/kubelet/prober/prober_manager.go.
 */
export interface ProbeManager extends Lifecycle {
  /** Creates the pod's missing workers. A worker keeps the probe spec that it was created with. */
  addPod(pod: Pod): void;
  /**
   * Call it when the pod terminates: stops liveness and startup probes of regular containers, not those of sidecars.
   */
  stopLivenessAndStartup(pod: Pod): void;
  /** Stops the pod's workers and removes their results. */
  removePod(pod: Pod): void;
  /** Stops the workers of all pods that are not in the set, and removes their results. */
  cleanupPods(podUids: ReadonlySet<string>): void;
  /**
   * Returns a copy of the status with `ready` and `started` of each container set from the probe results; absent lists
   * stay absent. Starts the readiness probe at once of a container that is started but not ready. The result is also
   * right for containers of an earlier kubelet process, before any worker has probed them.
   */
  withProbeResults(pod: Pod, status: PodStatus): PodStatus;
}

export const PROBE_MANAGER = createToken<ProbeManager>('kubelet.probe-manager/v1');
