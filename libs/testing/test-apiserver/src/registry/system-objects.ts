import type { ApiObject } from '@podwright/api-machinery';
import type { ApiUser } from '../http/api-request.js';
import type { ResourceTable } from '../resources/resource-table.js';
import type { ObjectRegistry } from './object-registry.js';

/** The user of the server's own requests, like upstream's loopback client. */
export const systemUser: ApiUser = { name: 'system:apiserver', groups: ['system:masters'] };

const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
const criticalClasses = [
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
];

/**
 * Creates the objects that every cluster has from the start. Source: kubernetes v1.36 pkg/controlplane,
 * pkg/registry/scheduling/rest.
 */
export function createSystemObjects(registry: ObjectRegistry, table: ResourceTable): void {
  const create = (plural: string, object: ApiObject, group = ''): ApiObject =>
    registry.create(
      { resource: table.get(plural, group), namespace: object.metadata.namespace ?? '', user: systemUser },
      object,
    );
  for (const { name, ...fields } of criticalClasses) {
    create(
      'priorityclasses',
      { metadata: { name, generation: 1 }, ...fields, preemptionPolicy: 'PreemptLowerPriority' },
      'scheduling.k8s.io',
    );
  }
  for (const name of systemNamespaces) create('namespaces', { metadata: { name }, spec: {} });
  create('services', {
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      clusterIP: '10.96.0.1',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
      type: 'ClusterIP',
    },
  });
}
