import { copiedFields, formerPlugin, type CsiSource } from '../former-plugin.js';
import { regionalAffinity } from '../topology.js';

const driver = 'csi.vsphere.vmware.com';

interface DiskSource {
  readonly volumePath: string;
  readonly fsType?: string;
  readonly storagePolicyName?: string;
}

/** Source: kubernetes v1.36 staging/src/k8s.io/csi-translation-lib/plugins/vsphere_volume.go. */
export const vsphere = formerPlugin(
  'vsphereVolume',
  (source) => ({ name: `${driver}-${source.volumePath}`, accessMode: 'ReadWriteOnce', csi: csiOf(source) }),
  (source, volume) => ({
    csi: csiOf(source),
    ...regionalAffinity(volume, 'topology.csi.vmware.com/zone', 'topology.csi.vmware.com/region'),
  }),
);

function csiOf(source: DiskSource): CsiSource {
  const { volumePath, storagePolicyName } = source;
  const volumeAttributes: Readonly<Record<string, string>> = storagePolicyName
    ? { storagepolicyname: storagePolicyName }
    : {};
  return { driver, volumeHandle: volumePath, ...copiedFields(source), volumeAttributes };
}
