import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Renews the node's Lease in `kube-node-lease`, independent of everything else; goes on during a graceful shutdown. `start()`
 * resolves at once. Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/apimachinery/lease/controller.go.
 */
export interface NodeLease extends Lifecycle, HealthReporter {
  /** Clock time of the last renewal that the API server accepted, in milliseconds since 1970; undefined before the first. */
  lastRenewedAtMs(): number | undefined;
}

export const NODE_LEASE = createToken<NodeLease>('kubelet.node-lease/v1');
