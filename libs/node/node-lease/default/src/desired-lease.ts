import type { Lease } from '@podwright/kube-types';

/** Namespace of all nodes' leases. */
export const leaseNamespace = 'kube-node-lease';

export interface LeaseFacts {
  readonly nodeName: string;
  readonly leaseDurationSeconds: number;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/**
 * The lease as it is to be sent: a new one, or the base with duration and time renewed. Other fields of the base stay.
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
      renewTime: microTime(nowMs),
    },
  };
}

/** The lease with the Node as its owner, so that it goes when the Node goes. */
export function ownedLease(lease: Lease, nodeName: string, nodeUid: string): Lease {
  const owner = { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeUid };
  return { ...lease, metadata: { ...lease.metadata, ownerReferences: [owner] } };
}

/** A time as the API's MicroTime writes it: six digits after the point. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
