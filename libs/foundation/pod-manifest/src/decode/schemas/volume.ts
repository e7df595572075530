import { always, list, object, pointer } from '../schema.js';
import { bool, int32, int64, quantities, quantity, string, strings } from '../scalars.js';
import { labelSelector, objectMeta } from './metadata.js';
import {
  keyToPath,
  localObjectReference,
  localReference,
  objectFieldSelector,
  resourceFieldSelector,
} from './references.js';

// Volumes with all their sources. Source: kubernetes v1.36 staging/src/k8s.io/api/core/v1/types.go.

const downwardApiFile = object({
  path: always(string),
  fieldRef: objectFieldSelector,
  resourceFieldRef: resourceFieldSelector,
  mode: pointer(int32),
});

const projection = object({
  secret: object({ ...localReference, items: list(keyToPath), optional: pointer(bool) }),
  downwardAPI: object({ items: list(downwardApiFile) }),
  configMap: object({ ...localReference, items: list(keyToPath), optional: pointer(bool) }),
  serviceAccountToken: object({ audience: string, expirationSeconds: pointer(int64), path: always(string) }),
  clusterTrustBundle: object({
    name: pointer(string),
    signerName: pointer(string),
    labelSelector,
    optional: pointer(bool),
    path: always(string),
  }),
  podCertificate: object({
    signerName: string,
    keyType: string,
    maxExpirationSeconds: pointer(int32),
    credentialBundlePath: string,
    keyPath: string,
    certificateChainPath: string,
    userAnnotations: strings,
  }),
});

const claimSpec = object({
  accessModes: list(string),
  selector: labelSelector,
  resources: always(object({ limits: quantities, requests: quantities })),
  volumeName: string,
  storageClassName: pointer(string),
  volumeMode: pointer(string),
  dataSource: object({ apiGroup: pointer(string), kind: always(string), name: always(string) }),
  dataSourceRef: object({
    apiGroup: pointer(string),
    kind: always(string),
    name: always(string),
    namespace: pointer(string),
  }),
  volumeAttributesClassName: pointer(string),
});

/** The sources that today's kubelet still mounts, by itself or through plugins. */
const currentSources = {
  hostPath: object({ path: always(string), type: pointer(string) }),
  emptyDir: object({ medium: string, sizeLimit: quantity }),
  secret: object({
    secretName: string,
    items: list(keyToPath),
    defaultMode: pointer(int32),
    optional: pointer(bool),
  }),
  configMap: object({
    ...localReference,
    items: list(keyToPath),
    defaultMode: pointer(int32),
    optional: pointer(bool),
  }),
  downwardAPI: object({ items: list(downwardApiFile), defaultMode: pointer(int32) }),
  projected: object({ sources: always(list(projection)), defaultMode: pointer(int32) }),
  persistentVolumeClaim: object({ claimName: always(string), readOnly: bool }),
  ephemeral: object({
    volumeClaimTemplate: object({ metadata: objectMeta, spec: always(claimSpec) }),
  }),
  csi: object({
    driver: always(string),
    readOnly: pointer(bool),
    fsType: pointer(string),
    volumeAttributes: strings,
    nodePublishSecretRef: localObjectReference,
  }),
  image: object({ reference: string, pullPolicy: string }),
  nfs: object({ server: always(string), path: always(string), readOnly: bool }),
  iscsi: object({
    targetPortal: always(string),
    iqn: always(string),
    lun: always(int32),
    iscsiInterface: string,
    fsType: string,
    readOnly: bool,
    portals: list(string),
    chapAuthDiscovery: bool,
    chapAuthSession: bool,
    secretRef: localObjectReference,
    initiatorName: pointer(string),
  }),
  fc: object({
    targetWWNs: list(string),
    lun: pointer(int32),
    fsType: string,
    readOnly: bool,
    wwids: list(string),
  }),
  flexVolume: object({
    driver: always(string),
    fsType: string,
    secretRef: localObjectReference,
    readOnly: bool,
    options: strings,
  }),
};

/** Cloud disks and others that the API still has, but which only CSI drivers mount, or nothing does. */
const legacySources = {
  gcePersistentDisk: object({ pdName: always(string), fsType: string, partition: int32, readOnly: bool }),
  awsElasticBlockStore: object({ volumeID: always(string), fsType: string, partition: int32, readOnly: bool }),
  gitRepo: object({ repository: always(string), revision: string, directory: string }),
  glusterfs: object({ endpoints: always(string), path: always(string), readOnly: bool }),
  rbd: object({
    monitors: always(list(string)),
    image: always(string),
    fsType: string,
    pool: string,
    user: string,
    keyring: string,
    secretRef: localObjectReference,
    readOnly: bool,
  }),
  cinder: object({ volumeID: always(string), fsType: string, readOnly: bool, secretRef: localObjectReference }),
  cephfs: object({
    monitors: always(list(string)),
    path: string,
    user: string,
    secretFile: string,
    secretRef: localObjectReference,
    readOnly: bool,
  }),
  flocker: object({ datasetName: string, datasetUUID: string }),
  azureFile: object({ secretName: always(string), shareName: always(string), readOnly: bool }),
  vsphereVolume: object({
    volumePath: always(string),
    fsType: string,
    storagePolicyName: string,
    storagePolicyID: string,
  }),
  quobyte: object({
    registry: always(string),
    volume: always(string),
    readOnly: bool,
    user: string,
    group: string,
    tenant: string,
  }),
  azureDisk: object({
    diskName: always(string),
    diskURI: always(string),
    cachingMode: pointer(string),
    fsType: pointer(string),
    readOnly: pointer(bool),
    kind: pointer(string),
  }),
  photonPersistentDisk: object({ pdID: always(string), fsType: string }),
  portworxVolume: object({ volumeID: always(string), fsType: string, readOnly: bool }),
  scaleIO: object({
    gateway: always(string),
    system: always(string),
    secretRef: pointer(localObjectReference),
    sslEnabled: bool,
    protectionDomain: string,
    storagePool: string,
    storageMode: string,
    volumeName: string,
    fsType: string,
    readOnly: bool,
  }),
  storageos: object({
    volumeName: string,
    volumeNamespace: string,
    fsType: string,
    readOnly: bool,
    secretRef: localObjectReference,
  }),
};

export const volume = object({ name: always(string), ...currentSources, ...legacySources });
