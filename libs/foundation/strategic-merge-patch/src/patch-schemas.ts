import type { PatchField, PatchSchema } from './patch-schema.js';

const byKey = (mergeKey: string, fields?: PatchSchema): PatchField => ({
  merge: true,
  mergeKey,
  ...(fields !== undefined && { fields }),
});
const retainedByKey = (mergeKey: string): PatchField => ({ merge: true, mergeKey, retainKeys: true });

const metadata: PatchField = { fields: { finalizers: { merge: true }, ownerReferences: byKey('uid') } };
const conditions = byKey('type');

const container: PatchSchema = {
  env: byKey('name'),
  ports: byKey('containerPort'),
  volumeDevices: byKey('devicePath'),
  volumeMounts: byKey('mountPath'),
};
const podSpec: PatchSchema = {
  containers: byKey('name', container),
  ephemeralContainers: byKey('name', container),
  hostAliases: byKey('ip'),
  imagePullSecrets: byKey('name'),
  initContainers: byKey('name', container),
  resourceClaims: retainedByKey('name'),
  schedulingGates: byKey('name'),
  topologySpreadConstraints: byKey('topologyKey'),
  volumes: retainedByKey('name'),
};
const podStatus: PatchSchema = {
  conditions,
  hostIPs: byKey('ip'),
  podIPs: byKey('ip'),
  resourceClaimStatuses: retainedByKey('name'),
};

/** For kinds without merged lists of their own. */
const metadataOnly: PatchSchema = { metadata };

// Source: the tags `patchStrategy` and `patchMergeKey` of kubernetes v1.36 api/core/v1/types.go.
const schemas: Readonly<Record<string, PatchSchema>> = {
  Namespace: { metadata, status: { fields: { conditions } } },
  Node: {
    metadata,
    spec: { fields: { podCIDRs: { merge: true } } },
    status: { fields: { addresses: byKey('type'), conditions } },
  },
  PersistentVolumeClaim: { metadata, status: { fields: { conditions } } },
  Pod: { metadata, spec: { fields: podSpec }, status: { fields: podStatus } },
  Service: { metadata, spec: { fields: { ports: byKey('port') } }, status: { fields: { conditions } } },
  ServiceAccount: { metadata, secrets: byKey('name') },
};

/** The patch schema of a kind of the core group; for any other kind one with only the metadata. */
export function patchSchemaOf(kind: string): PatchSchema {
  return Object.hasOwn(schemas, kind) ? (schemas[kind] as PatchSchema) : metadataOnly;
}
