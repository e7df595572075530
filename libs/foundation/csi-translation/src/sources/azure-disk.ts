import { KubeletError } from '@podwright/errors';
import { copiedFields, formerPlugin, type CsiSource } from '../former-plugin.js';

const driver = 'disk.csi.azure.com';

interface DiskSource {
  readonly diskURI: string;
  readonly kind?: string;
  readonly cachingMode?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
}

/** Source: kubernetes v1.36 staging/src/k8s.io/csi-translation-lib/plugins/azure_disk.go. */
export const azureDisk = formerPlugin(
  'azureDisk',
  (source) => ({ name: source.diskURI, accessMode: 'ReadWriteOnce', csi: csiOf(source) }),
  (source) => ({ csi: csiOf(source) }),
);

function csiOf(source: DiskSource): CsiSource {
  const { diskURI, kind = 'Managed', cachingMode, fsType } = source;
  if (kind.toLowerCase() !== 'managed') {
    throw new KubeletError(`kind(${kind}) is not supported in csi migration`, { code: 'invalid-argument' });
  }
  const volumeAttributes = {
    kind: 'Managed',
    ...(cachingMode && { cachingmode: cachingMode }),
    ...(fsType !== undefined && { fstype: fsType }),
  };
  return { driver, volumeHandle: diskURI, ...copiedFields(source), volumeAttributes };
}
