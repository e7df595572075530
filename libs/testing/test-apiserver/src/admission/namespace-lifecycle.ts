import { ApiError, notFound, qualified } from '@podwright/api-machinery';
import { refused, type AdmissionPlugin } from './admission.js';

const immortal = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Protects system namespaces, and refuses objects in missing or terminating namespaces.
 * Source: kubernetes v1.36 apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go.
 */
export const admitNamespaceLifecycle: AdmissionPlugin = (request, { store, table }) => {
  const { operation, resource, namespace, name } = request;
  if (operation === 'DELETE' && resource.kind === 'Namespace' && immortal.has(name)) {
    throw refused(request, 'this namespace may not be deleted');
  }
  if (operation !== 'CREATE' || !resource.namespaced || request.subresource !== '' || resource.virtual)
    return undefined;
  const found = store.get('namespaces', namespace);
  if (found === undefined) throw notFound(table.get('namespaces'), namespace);
  if (found.metadata.deletionTimestamp === undefined) return undefined;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const subject = name === '' ? qualified(resource) : `${qualified(resource)} "${name}"`;
  throw new ApiError(403, 'Forbidden', `${subject} is forbidden: ${why}`, {
    ...(name !== '' && { name }),
    ...(resource.group !== '' && { group: resource.group }),
    kind: resource.plural,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
};
