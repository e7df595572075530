import type { Lease } from '@podwright/kube-types';
import { formatRfc3339 } from '@podwright/time';

/** Namespace of the leases of all nodes. */
export const leaseNamespace = 'kube-node-lease';

export interface LeaseFacts {
  readonly nodeName: string;
  readonly leaseDurationSeconds: number;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/**
 * The lease to send: a new one, or the base with renewed duration and time and all its other fields.
 * Source: kubernetes v1.36 staging/src/k8s.io/component-helpers/apimachinery/lease/controller.go newLease.
 */
export function desiredLease(base: Lease | undefined, { nodeName, leaseDurationSeconds, nowMs }: LeaseFacts): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    ...base,
    metadata: base?.metadata ?? { name: nodeName, namespace: leaseNamespace },
    spec: {
      ...(base === undefined ? { holderIdentity: nodeName } : base.spec),
      leaseDurationSeconds,
      renewTime: formatRfc3339(nowMs, 6),
    },
  };
}

/** The lease with the Node as its owner, so that it is deleted with the Node. */
export function ownedLease(lease: Lease, nodeName: string, nodeUid: string): Lease {
  const owner = { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeUid };
  return { ...lease, metadata: { ...lease.metadata, ownerReferences: [owner] } };
}
