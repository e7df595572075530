import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * The pods that use, or may use, the node's resources: all pods but those known to be terminated, and those in a
 * terminal phase that are not terminating. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go filterOutInactivePods.
 */
export interface ActivePods {
  /** In the pod manager's order, without mirror pods. */
  list(): readonly Pod[];
}

export const ACTIVE_PODS = createToken<ActivePods>('kubelet.active-pods/v1');
