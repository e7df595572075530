import type { ApiObject, Stored } from '@podwright/api-machinery';
import type { PersistentVolumeClaim } from '@podwright/kube-types';

interface StorageClass {
  readonly provisioner: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: string;
  readonly mountOptions?: readonly string[];
}

const fsTypeParameter = 'csi.storage.k8s.io/fstype';

/**
 * The volume that external-provisioner makes for a claim, for drivers that make volumes when they are first used; no
 * driver is called. Undefined for a class that provisions nothing.
 */
export function provisionedVolume(
  claim: Stored<PersistentVolumeClaim>,
  storageClass: ApiObject,
): (ApiObject & { readonly spec: object }) | undefined {
  const {
    provisioner,
    parameters = {},
    reclaimPolicy = 'Delete',
    mountOptions,
  } = storageClass as StorageClass & ApiObject;
  if (provisioner === 'kubernetes.io/no-provisioner') return undefined;
  const name = `pvc-${claim.metadata.uid}`;
  const { [fsTypeParameter]: fsType, ...volumeAttributes } = parameters;
  const storage = claim.spec?.resources?.requests?.['storage'];
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name,
      uid: name,
      creationTimestamp: claim.metadata.creationTimestamp,
      annotations: { 'pv.kubernetes.io/provisioned-by': provisioner },
    } as ApiObject['metadata'],
    spec: {
      accessModes: claim.spec?.accessModes,
      capacity: { storage },
      csi: {
        driver: provisioner,
        volumeHandle: name,
        volumeAttributes: { ...volumeAttributes, capacity: storage },
        ...(fsType !== undefined && { fsType }),
      },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClass.metadata.name,
      volumeMode: claim.spec?.volumeMode ?? 'Filesystem',
      ...(mountOptions !== undefined && { mountOptions }),
    },
    status: {},
  };
}
