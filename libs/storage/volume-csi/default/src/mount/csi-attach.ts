import { KubeletError } from '@podwright/errors';
import type { AttachableVolumes } from '@podwright/volume-interface';
import type { CsiVolumes } from '../csi-volumes.js';
import { requireAttached } from './attachment.js';
import { persistentCsiOf } from './csi-source.js';

/**
 * Volumes that a controller attaches: all of PersistentVolumes, unless the driver's CSIDriver object says otherwise. A
 * kubelet never attaches them itself. Source: kubernetes v1.36 pkg/volume/csi/csi_attacher.go.
 */
export function csiAttach(volumes: CsiVolumes): AttachableVolumes {
  return {
    canAttach: (spec) =>
      spec.persistentVolume !== undefined && volumes.rules.attachRequired(persistentCsiOf(spec).driver),
    waitForAttach: async (spec, _devicePath, signal) => {
      const { driver, volumeHandle: handle } = persistentCsiOf(spec);
      return requireAttached(volumes.api, volumes.attached({ driver, handle }), signal);
    },
    attach: () => Promise.reject(notFromHere('attaching')),
    detach: () => Promise.reject(notFromHere('detaching')),
  };
}

function notFromHere(what: string): KubeletError {
  return new KubeletError(`${what} volumes from the kubelet is not supported`, { code: 'unimplemented' });
}
