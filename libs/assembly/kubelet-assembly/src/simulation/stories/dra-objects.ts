import type { Pod, ResourceClaim } from '@podwright/kube-types';

export const draDriverName = 'gpu.test';

/** Claims that any number of pods may share; each has the driver's only device. */
export const resourceClaimNames = ['gpu-0', 'gpu-1'] as const;

export const resourceClaimOf = (name: string): ResourceClaim => ({
  metadata: { name, namespace: 'default' },
  spec: {},
});

/** The status that a scheduler gives it for these pods. */
export const allocatedTo = (pods: readonly Pod[]): NonNullable<ResourceClaim['status']> => ({
  allocation: {
    devices: { results: [{ driver: draDriverName, pool: 'node', device: 'd0', request: 'gpu' }] },
  },
  reservedFor: pods.map(({ metadata }) => ({
    resource: 'pods',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
  })),
});

/** Names of the claims that a pod uses. */
export const resourceClaimsOf = ({ spec }: Pod): readonly string[] =>
  (spec.resourceClaims ?? []).flatMap(({ resourceClaimName = [] }) => resourceClaimName);
