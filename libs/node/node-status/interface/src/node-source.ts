import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Node } from '@podwright/kube-types';

/**
 * This node, for admission and other managers: the API server's Node where there is one, else the Node that the kubelet
 * would register (name, labels, taints, capacity, allocatable). Source: kubernetes v1.36 pkg/kubelet/kubelet_getters.go
 * getNodeAnyWay, kubelet_node_status.go initialNode.
 */
export interface NodeSource extends Lifecycle {
  /** From memory. Throws `unavailable` while nothing is known about the node. */
  getNode(): Node;
  /** Gets the Node from the API server, not from a cache; without an API server the same as {@link getNode}. */
  fetchNode(signal: AbortSignal): Promise<Node>;
  /**
   * The features that this kubelet declares in `status.declaredFeatures`, sorted; the API server's Node may still show
   * others. Never throws.
   */
  declaredFeatures(): readonly string[];
}

export const NODE_SOURCE = createToken<NodeSource>('kubelet.node-source/v1');
