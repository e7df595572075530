import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/**
 * Renews the node's Lease in `kube-node-lease`, independently of all other managers and also during a graceful
 * shutdown. `start()` resolves at once.
 * Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/apimachinery/lease/controller.go.
 */
export interface NodeLease extends Lifecycle, HealthReporter {
  /** Time of the last renewal that the API server accepted, in milliseconds since 1970; undefined before the first. */
  lastRenewedAtMs(): number | undefined;
}

export const NODE_LEASE = createToken<NodeLease>('kubelet.node-lease/v1');
