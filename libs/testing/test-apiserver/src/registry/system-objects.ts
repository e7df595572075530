import type { ResourceTable } from '../resources/resource-table.js';
import type { ObjectRegistry } from './object-registry.js';

const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
const loopback: { name: string; groups: readonly string[] } = { name: 'system:apiserver', groups: ['system:masters'] };

/** The namespaces that each cluster has from the start. Source: kubernetes v1.36 pkg/controlplane/controller/systemnamespaces. */
export function createSystemObjects(registry: ObjectRegistry, table: ResourceTable): void {
  for (const name of systemNamespaces) {
    registry.create(
      { resource: table.get('namespaces'), namespace: '', user: loopback },
      { metadata: { name }, spec: {} },
    );
  }
}
