import type { Pod, PodStatus, ResourceClaim } from '@podwright/kube-types';

type PodClaim = NonNullable<Pod['spec']['resourceClaims']>[number];
type ContainerClaims = readonly { readonly name: string; readonly request?: string }[];

export interface PodWithClaims {
  readonly claims?: readonly PodClaim[];
  /** What each container names of them; default: one container `main` that names all. */
  readonly containers?: Readonly<Record<string, ContainerClaims>>;
  readonly status?: PodStatus;
}

export function podWithClaims(uid: string, { claims = [], containers, status }: PodWithClaims): Pod {
  const named = containers ?? { main: claims.map(({ name }) => ({ name })) };
  return {
    metadata: { name: uid, namespace: 'default', uid },
    spec: {
      resourceClaims: [...claims],
      containers: Object.entries(named).map(([name, used]) => ({ name, resources: { claims: [...used] } })),
    },
    ...(status !== undefined && { status }),
  };
}

/** A pod that uses one claim by its name. */
export const podOf = (uid: string, claimName: string): Pod =>
  podWithClaims(uid, { claims: [{ name: 'device', resourceClaimName: claimName }] });

export interface AllocatedClaim {
  readonly drivers?: readonly string[];
  /** Uids of pods. */
  readonly reservedFor?: readonly string[];
  readonly uid?: string;
  /** Uid of the pod for which it was made. */
  readonly owner?: string;
}

/** A claim with one device of each driver. */
export function allocatedClaim(name: string, given: AllocatedClaim = {}): ResourceClaim {
  const { drivers = ['gpu.example.com'], reservedFor = ['p'], uid = `uid-${name}`, owner } = given;
  const ownerReference = { apiVersion: 'v1', kind: 'Pod', name: owner ?? '', uid: owner ?? '', controller: true };
  const results = drivers.map((driver) => ({ driver, pool: 'n1', device: 'd0', request: 'gpu' }));
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name, namespace: 'default', uid, ...(owner !== undefined && { ownerReferences: [ownerReference] }) },
    spec: {},
    status: {
      allocation: { devices: { results } },
      reservedFor: reservedFor.map((podUid) => ({ resource: 'pods', name: podUid, uid: podUid })),
    },
  };
}
