/** How a strategic merge patch treats a list: merges it by key or as a set of values, or replaces it (undefined). */
export type ListMerge = { readonly key: string } | 'primitive' | undefined;

const byKey = (key: string): ListMerge => ({ key });

/**
 * The lists that a patch merges, by field name: the `patchStrategy` and `patchMergeKey` tags of kubernetes v1.36
 * staging/src/k8s.io/api. A field name means the same in all kinds, except for the exceptions below.
 */
const mergedLists: Readonly<Record<string, ListMerge>> = {
  addresses: byKey('type'),
  conditions: byKey('type'),
  containers: byKey('name'),
  drivers: byKey('name'),
  env: byKey('name'),
  ephemeralContainers: byKey('name'),
  finalizers: 'primitive',
  hostAliases: byKey('ip'),
  hostIPs: byKey('ip'),
  imagePullSecrets: byKey('name'),
  initContainers: byKey('name'),
  ownerReferences: byKey('uid'),
  podCIDRs: 'primitive',
  podIPs: byKey('ip'),
  ports: byKey('containerPort'),
  resourceClaims: byKey('name'),
  resourceClaimStatuses: byKey('name'),
  schedulingGates: byKey('name'),
  secrets: byKey('name'),
  topologySpreadConstraints: byKey('topologyKey'),
  volumeDevices: byKey('devicePath'),
  volumeMounts: byKey('mountPath'),
  volumes: byKey('name'),
};

const exceptions: Readonly<Record<string, Readonly<Record<string, ListMerge>>>> = {
  Service: { ports: byKey('port') },
  Endpoints: { ports: undefined, addresses: undefined },
  EndpointSlice: { ports: undefined, addresses: undefined },
  NetworkPolicy: { ports: undefined },
  CertificateSigningRequest: { conditions: undefined },
};

/** How a patch treats the list in the field `field` of an object of this kind. */
export function listMerge(kind: string, field: string): ListMerge {
  const own = exceptions[kind];
  return own !== undefined && Object.hasOwn(own, field) ? own[field] : mergedLists[field];
}
