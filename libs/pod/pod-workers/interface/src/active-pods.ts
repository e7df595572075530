import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * Pods that use, or may use, the node: not known to have terminated, and not in a terminal phase unless they are just
 * terminating. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go filterOutInactivePods.
 */
export interface ActivePods {
  /** In the order of the pod manager; without mirror pods. */
  list(): readonly Pod[];
}

export const ACTIVE_PODS = createToken<ActivePods>('kubelet.active-pods/v1');
