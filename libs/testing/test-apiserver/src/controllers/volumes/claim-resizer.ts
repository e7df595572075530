import type { Stored } from '@podwright/api-machinery';
import { compareQuantities, type PersistentVolume, type PersistentVolumeClaim } from '@podwright/kube-types';
import type { ObjectRegistry } from '../../registry/object-registry.js';
import type { ServerContext } from '../../registry/server-context.js';
import type { Controller } from '../controller.js';

/**
 * Makes the volume of a claim as large as the claim asks for, and leaves the rest to the node, as external-resizer does
 * for a driver that grows volumes on the node. It calls no driver. Source: kubernetes v1.36
 * pkg/volume/util/resize_util.go, MarkForFSResize.
 */
export function claimResizer({ store, table }: ServerContext, registry: ObjectRegistry): Controller {
  return ({ type, resource, object }) => {
    if (resource !== 'persistentvolumeclaims' || type === 'DELETED') return;
    const claim = object as Stored<PersistentVolumeClaim>;
    const storage = claim.spec?.resources?.requests?.['storage'];
    const volume = store.get('persistentvolumes', claim.spec?.volumeName ?? '') as Stored<PersistentVolume> | undefined;
    if (claim.status?.phase !== 'Bound' || storage === undefined || volume === undefined) return;
    if (compareQuantities(volume.spec?.capacity?.['storage'], storage) >= 0) return;
    registry.put(table.get('persistentvolumes'), {
      ...volume,
      spec: { ...volume.spec, capacity: { ...volume.spec?.capacity, storage } },
    });
    registry.put(table.get('persistentvolumeclaims'), {
      ...claim,
      status: {
        ...claim.status,
        allocatedResources: { ...claim.status.allocatedResources, storage },
        allocatedResourceStatuses: { ...claim.status.allocatedResourceStatuses, storage: 'NodeResizePending' },
        conditions: [{ type: 'FileSystemResizePending', status: 'True' }],
      },
    });
  };
}
