import {
  persistentVolumeClaims,
  persistentVolumes,
  type KubeClient,
  type KubeTransport,
} from '@podwright/kube-client-interface';
import type { PersistentVolumeClaim } from '@podwright/kube-types';
import { createSystemClock } from '@podwright/time';
import { applyManifests } from '../start/apply-manifests.js';

const namespace = 'default';

/** Creates the CSIDriver and the storage classes `ext4` and `xfs` of a driver. */
export async function createStorageClasses(
  transport: KubeTransport,
  driver: string,
  { attachRequired }: { readonly attachRequired: boolean },
): Promise<void> {
  const apiVersion = 'storage.k8s.io/v1';
  const spec = { attachRequired, podInfoOnMount: true, fsGroupPolicy: 'File' };
  const classes = ['ext4', 'xfs'].map((fsType) => ({
    apiVersion,
    kind: 'StorageClass',
    metadata: { name: fsType },
    provisioner: driver,
    parameters: { 'csi.storage.k8s.io/fstype': fsType },
  }));
  const objects = [{ apiVersion, kind: 'CSIDriver', metadata: { name: driver }, spec }, ...classes];
  const manifests = objects.map((object) => ({ file: `storage of ${driver}`, object }));
  await applyManifests(transport, manifests, createSystemClock());
}

/** An administrator's hand on the claims of namespace `default`. */
export class Claims {
  constructor(private readonly admin: KubeClient) {}

  async create(name: string, storage: string, spec: Partial<PersistentVolumeClaim['spec']> = {}): Promise<void> {
    await this.admin.create(persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage } },
        storageClassName: 'ext4',
        ...spec,
      },
    });
  }

  /** A claim with a volume that only it can have, where no provisioner makes one; of a driver that makes disks at first use. */
  async createWithVolume(name: string, storage: string, driver: string): Promise<void> {
    await this.admin.create(persistentVolumes, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage },
        claimRef: { namespace, name },
        csi: { driver, volumeHandle: name, fsType: 'ext4', volumeAttributes: { capacity: storage } },
        storageClassName: 'ext4',
      },
    });
    await this.create(name, storage, { volumeName: name });
  }

  async get(name: string): Promise<PersistentVolumeClaim> {
    return this.admin.get(persistentVolumeClaims, { namespace, name });
  }

  async resize(name: string, storage: string): Promise<void> {
    const patch = { spec: { resources: { requests: { storage } } } };
    await this.admin.patch(persistentVolumeClaims, { namespace, name }, { type: 'merge', body: patch });
  }

  async delete(name: string): Promise<void> {
    await this.admin.delete(persistentVolumeClaims, { namespace, name });
  }

  /** The handle of the claim's volume. */
  async handleOf(name: string): Promise<string> {
    const { spec } = await this.get(name);
    const volume = await this.admin.get(persistentVolumes, { name: spec?.volumeName ?? '' });
    return volume.spec?.csi?.volumeHandle ?? '';
  }
}
