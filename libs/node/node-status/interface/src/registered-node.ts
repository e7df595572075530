import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Node } from '@podwright/kube-types';

/**
 * The API server's Node object of this node, kept current by a watch, as upstream's lister. Absent in an assembly
 * without an API server. For managers that need the real object and its UID: mirror pods, leases, the API pod source.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet.go nodeLister, nodeHasSynced, kubelet_getters.go GetNode.
 */
export interface RegisteredNode extends Lifecycle {
  /**
   * Undefined: the server has none, certain only once {@link hasSynced} is true. Immutable; each change gives a new
   * object.
   */
  current(): Node | undefined;
  /** True once the API server has answered the first list; stays true when it cannot be reached later. */
  hasSynced(): boolean;
  /** Resolves when {@link hasSynced} is true; rejects on the signal, with the last failure as cause. */
  synced(signal: AbortSignal): Promise<void>;
  /** Calls `listener` with {@link current} after each change; what it throws is logged. Returns unsubscribe. */
  watch(listener: (node: Node | undefined) => void): () => void;
}

export const REGISTERED_NODE = createToken<RegisteredNode>('kubelet.registered-node/v1');
