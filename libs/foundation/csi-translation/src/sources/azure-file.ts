import { KubeletError } from '@podwright/errors';
import type { PersistentVolume } from '@podwright/kube-types';
import { copiedFields, formerPlugin, type CsiSource } from '../former-plugin.js';

const driver = 'file.csi.azure.com';
const resourceGroupAnnotation = 'kubernetes.io/azure-file-resource-group';

interface FileSource {
  readonly shareName: string;
  readonly secretName: string;
  readonly readOnly?: boolean;
}

/** Source: kubernetes v1.36 staging/src/k8s.io/csi-translation-lib/plugins/azure_file.go. */
export const azureFile = formerPlugin(
  'azureFile',
  (source, { volumeName, podNamespace }) => {
    const csi = csiOf(source, { resourceGroup: '', name: volumeName, namespace: podNamespace || 'default' });
    return { name: csi.volumeHandle, accessMode: 'ReadWriteMany', csi };
  },
  (source, volume) => {
    const resourceGroup = volume.metadata?.annotations?.[resourceGroupAnnotation] ?? '';
    const namespace = source.secretNamespace ?? namespaceOf(volume);
    if (namespace === '') {
      const message = 'could not find a secret namespace in PersistentVolumeSource or ClaimRef';
      throw new KubeletError(message, { code: 'invalid-argument' });
    }
    return { csi: csiOf(source, { resourceGroup, name: volume.metadata?.name ?? '', namespace }) };
  },
);

function csiOf(
  source: FileSource,
  { resourceGroup, name, namespace }: { resourceGroup: string; name: string; namespace: string },
): CsiSource {
  const { shareName, secretName } = source;
  const account = /azure-storage-account-(.+)-secret/.exec(secretName)?.[1] ?? secretName;
  return {
    driver,
    volumeHandle: [resourceGroup, account, shareName, name, namespace].join('#'),
    ...copiedFields(source),
    volumeAttributes: { sharename: shareName },
    nodeStageSecretRef: { name: secretName, namespace },
  };
}

function namespaceOf({ spec }: PersistentVolume): string {
  return spec?.claimRef?.namespace ?? '';
}
