import { copiedFields, formerPlugin, type CsiSource } from '../former-plugin.js';
import { zonedAffinity } from '../topology.js';

const driver = 'cinder.csi.openstack.org';

interface CinderSource {
  readonly volumeID: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
}

/** Source: kubernetes v1.36 staging/src/k8s.io/csi-translation-lib/plugins/openstack_cinder.go. */
export const cinder = formerPlugin(
  'cinder',
  (source) => ({ name: `${driver}-${source.volumeID}`, accessMode: 'ReadWriteOnce', csi: csiOf(source) }),
  (source, volume) => ({ csi: csiOf(source), ...zonedAffinity(volume, `topology.${driver}/zone`) }),
);

function csiOf(source: CinderSource): CsiSource {
  return { driver, volumeHandle: source.volumeID, ...copiedFields(source), volumeAttributes: {} };
}
