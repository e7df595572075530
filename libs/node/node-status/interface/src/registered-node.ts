import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Node } from '@podwright/kube-types';

/**
 * The Node object of this node as the API server has it, from a watch: what a lister gives in upstream. Absent in an assembly
 * without API server. For those who need the real object, with its UID: mirror pods, leases, a pod source that waits for it.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet.go nodeLister, nodeHasSynced, kubelet_getters.go GetNode.
 */
export interface RegisteredNode extends Lifecycle {
  /** undefined: there is none as far as we know; sure only once {@link hasSynced}. Immutable, another object after each change. */
  current(): Node | undefined;
  /** The API server has been asked once. Stays true while it is away. */
  hasSynced(): boolean;
  /** Resolves when {@link hasSynced}; rejects on the signal, with the last failure as cause. */
  synced(signal: AbortSignal): Promise<void>;
  /** Called after each change, with what {@link current} says then. What throws is logged. Returns unsubscribe. */
  watch(listener: (node: Node | undefined) => void): () => void;
}

export const REGISTERED_NODE = createToken<RegisteredNode>('kubelet.registered-node/v1');
