import type { EvictionDecision } from '@podwright/eviction-interface';
import type { Node } from '@podwright/kube-types';

/** What the managers know about the node at one moment. */
export interface NodeState {
  /** The API server's Node where there is one, else the one that the kubelet would register. */
  readonly node?: Node;
  readonly runtimeErrors: readonly string[];
  readonly networkErrors: readonly string[];
  /** Absent without eviction, and when the node cannot be read: then `planError` says why. */
  readonly plan?: EvictionDecision;
  readonly planError?: string;
  /** Unix milliseconds; absent without a lease. */
  readonly leaseRenewedAtMs?: number;
}
