import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Node } from '@podwright/kube-types';

/**
 * This node as admission and others see it: the API server's object where there is one, else what the kubelet itself
 * would register (name, labels, taints, capacity, allocatable). Source: kubernetes v1.36 pkg/kubelet/kubelet_getters.go
 * getNodeAnyWay, kubelet_node_status.go initialNode.
 */
export interface NodeSource extends Lifecycle {
  /** Cheap. Throws `unavailable` as long as nothing is known about the node. */
  getNode(): Node;
  /** Asks the API server, past all caches; without one the same as {@link getNode}. */
  fetchNode(signal: AbortSignal): Promise<Node>;
  /**
   * Features that this kubelet declares for its node, sorted, whatever the API server's object shows; see
   * `declaredFeatures`. Never throws.
   */
  declaredFeatures(): readonly string[];
}

export const NODE_SOURCE = createToken<NodeSource>('kubelet.node-source/v1');
