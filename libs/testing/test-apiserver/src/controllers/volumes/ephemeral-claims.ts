import type { ApiObject } from '@podwright/api-machinery';
import { objectKey } from '@podwright/kube-types';
import type { ObjectRegistry } from '../../registry/object-registry.js';
import type { ServerContext } from '../../registry/server-context.js';
import { systemUser } from '../../registry/system-objects.js';
import { asPod } from '../../strategies/pod-strategy.js';
import type { Controller } from '../controller.js';

/**
 * Creates the claims of generic ephemeral volumes, owned by their pod. A claim of that name that belongs to nobody or
 * to another pod stays as it is. Source: kubernetes v1.36 pkg/controller/volume/ephemeral/controller.go.
 */
export function ephemeralClaims({ store, table }: ServerContext, registry: ObjectRegistry): Controller {
  const claims = table.get('persistentvolumeclaims');
  return ({ type, resource, object }) => {
    if (resource !== 'pods' || type === 'DELETED' || object.metadata.deletionTimestamp !== undefined) return;
    const { metadata, spec } = asPod(object);
    for (const { name, ephemeral } of spec.volumes ?? []) {
      const template = ephemeral?.volumeClaimTemplate;
      const claimName = `${metadata.name}-${name}`;
      if (template === undefined || store.get('persistentvolumeclaims', objectKey(metadata.namespace, claimName))) {
        continue;
      }
      const owner = {
        apiVersion: 'v1',
        kind: 'Pod',
        name: metadata.name,
        uid: metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      };
      const claim = {
        metadata: { ...template.metadata, name: claimName, namespace: metadata.namespace, ownerReferences: [owner] },
        spec: template.spec,
      } as unknown as ApiObject;
      registry.create({ resource: claims, namespace: metadata.namespace ?? '', user: systemUser }, claim);
    }
  };
}
