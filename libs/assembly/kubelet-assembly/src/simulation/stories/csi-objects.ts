import type { CsiDriver, PersistentVolume, PersistentVolumeClaim } from '@podwright/kube-types';

export const csiDriverName = 'disks.test';

/** Claims whose volumes the CSI driver serves to any number of pods. */
export const claimNames = ['data-0', 'data-1'] as const;

export const csiDriverObject: CsiDriver = {
  metadata: { name: csiDriverName },
  spec: { attachRequired: false, podInfoOnMount: false, fsGroupPolicy: 'None' },
};

const accessModes = ['ReadWriteMany'];
const storage = '1Gi';

export const claimOf = (name: string): PersistentVolumeClaim => ({
  metadata: { name, namespace: 'default' },
  spec: { accessModes, resources: { requests: { storage } }, volumeName: `pv-${name}` },
});

export const volumeOf = (name: string, uid: string): PersistentVolume => ({
  metadata: { name: `pv-${name}` },
  spec: {
    capacity: { storage },
    accessModes,
    volumeMode: 'Filesystem',
    csi: { driver: csiDriverName, volumeHandle: name },
    claimRef: { namespace: 'default', name, uid },
  },
});
