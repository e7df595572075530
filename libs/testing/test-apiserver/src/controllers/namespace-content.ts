import { type ApiObject, qualified } from '@podwright/api-machinery';
import { deleteObject } from '../registry/delete-object.js';
import type { ObjectRegistry } from '../registry/object-registry.js';
import type { ServerContext } from '../registry/server-context.js';
import { systemUser } from '../registry/system-objects.js';
import type { Controller } from './controller.js';

const rootConfigMap = 'kube-root-ca.crt';
const description = {
  'kubernetes.io/description':
    'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
};

/** Creates the default service account and the authority's certificate in each namespace, again after a deletion. */
export function namespaceDefaults(context: ServerContext, registry: ObjectRegistry, authority: string): Controller {
  const { store, table } = context;
  const ensure = (plural: string, namespace: string, object: ApiObject): void => {
    const resource = table.get(plural);
    const missing = registry.find(resource, namespace, object.metadata.name ?? '') === undefined;
    if (missing) registry.create({ resource, namespace, user: systemUser }, object);
  };
  return ({ resource, object }) => {
    const namespace = resource === 'namespaces' ? object.metadata.name : object.metadata.namespace;
    if (!['namespaces', 'serviceaccounts', 'configmaps'].includes(resource) || namespace === undefined) return;
    const found = store.get('namespaces', namespace);
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return;
    ensure('serviceaccounts', namespace, { metadata: { name: 'default' } });
    ensure('configmaps', namespace, {
      metadata: { name: rootConfigMap, annotations: description },
      data: { 'ca.crt': authority },
    });
  };
}

/**
 * Deletes the contents of a terminating namespace, then the namespace. Source: kubernetes v1.36
 * pkg/controller/namespace/deletion.
 */
export function namespaceDeletion(context: ServerContext, registry: ObjectRegistry): Controller {
  const { store, table } = context;
  return ({ resource, object }) => {
    const name = resource === 'namespaces' ? object.metadata.name : object.metadata.namespace;
    const namespace = name === undefined ? undefined : store.get('namespaces', name);
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    let remaining = 0;
    for (const kind of table.all.filter(({ namespaced, virtual }) => namespaced && !virtual)) {
      const content = [...store.values(qualified(kind))].filter(({ metadata }) => metadata.namespace === name);
      for (const item of content) {
        if (!deleteObject(context, registry, kind, item, { dryRun: false }).gone) remaining += 1;
      }
    }
    if (remaining > 0) return;
    const namespaces = table.get('namespaces');
    const current = store.get('namespaces', name ?? '');
    if (current === undefined) return;
    const free = { ...current, spec: { ...(current.spec as object), finalizers: [] } };
    if ((current.metadata.finalizers ?? []).length > 0) registry.put(namespaces, free);
    else registry.remove(namespaces, current);
  };
}
