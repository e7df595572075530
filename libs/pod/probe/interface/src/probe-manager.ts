import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';

/** Source: kubernetes v1.36 pkg/kubelet/prober/prober_manager.go. */
export interface ProbeManager extends Lifecycle {
  /** Makes the missing workers of the pod's containers. */
  addPod(pod: Pod): void;
  /** The pod terminates: liveness and startup probes of regular containers end. */
  stopLivenessAndStartup(pod: Pod): void;
  removePod(pod: Pod): void;
  /** Ends the workers of all pods that are not in the set. */
  cleanupPods(podUids: ReadonlySet<string>): void;
  /** Returns the status with `ready` and `started` of each container filled in by the probe results. */
  withProbeResults(pod: Pod, status: PodStatus): PodStatus;
}

export const PROBE_MANAGER = createToken<ProbeManager>('kubelet.probe-manager/v1');
