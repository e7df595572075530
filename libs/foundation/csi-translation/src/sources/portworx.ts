import type { PersistentVolume } from '@podwright/kube-types';
import { copiedFields, formerPlugin, type CsiSource } from '../former-plugin.js';

const driver = 'pxd.portworx.com';
const secretName = 'openstorage.io/auth-secret-name';
const secretNamespace = 'openstorage.io/auth-secret-namespace';

interface PortworxSource {
  readonly volumeID: string;
  readonly fsType?: string;
}

/**
 * The source's `readOnly` decides about the access mode alone. Source: kubernetes v1.36
 * staging/src/k8s.io/csi-translation-lib/plugins/portworx.go.
 */
export const portworx = formerPlugin(
  'portworxVolume',
  (source) => ({
    name: `${driver}-${source.volumeID}`,
    accessMode: source.readOnly === true ? 'ReadOnlyMany' : 'ReadWriteOnce',
    csi: csiOf(source),
  }),
  (source, volume) => ({ csi: { ...csiOf(source), ...secretsOf(volume) } }),
);

function csiOf({ volumeID, fsType }: PortworxSource): CsiSource {
  return {
    driver,
    volumeHandle: volumeID,
    ...copiedFields(fsType === undefined ? {} : { fsType }),
    volumeAttributes: {},
  };
}

function secretsOf({ metadata }: PersistentVolume): Partial<CsiSource> {
  const { [secretName]: name, [secretNamespace]: namespace } = metadata?.annotations ?? {};
  if (name === undefined || namespace === undefined) return {};
  const reference = { name, namespace };
  return {
    controllerPublishSecretRef: reference,
    nodeStageSecretRef: reference,
    nodePublishSecretRef: reference,
    controllerExpandSecretRef: reference,
    nodeExpandSecretRef: reference,
  };
}
