import { resourceKey, type GroupResource } from '../resources/api-resource.js';
import { csrStrategy } from './csr-strategy.js';
import { plainObject, specAndStatus } from './generic-strategies.js';
import {
  configMapStrategy,
  leaseStrategy,
  namespaceStrategy,
  nodeStrategy,
  secretStrategy,
} from './object-strategies.js';
import { podStrategy } from './pod-strategy.js';
import type { ResourceStrategy } from './resource-strategy.js';
import { serviceStrategy } from './service-strategy.js';

const special: Readonly<Record<string, ResourceStrategy>> = {
  'certificatesigningrequests.certificates.k8s.io': csrStrategy,
  configmaps: configMapStrategy,
  'csinodes.storage.k8s.io': {},
  'leases.coordination.k8s.io': leaseStrategy,
  namespaces: namespaceStrategy,
  nodes: nodeStrategy,
  pods: podStrategy,
  secrets: secretStrategy,
  serviceaccounts: { unconditionalUpdate: true, returnsDeleted: true },
  services: serviceStrategy,
};

/** The strategy of a resource: its own, or the one of its shape. */
export function strategyOf(resource: GroupResource & { readonly subresources?: readonly string[] }): ResourceStrategy {
  const own = special[resourceKey(resource)];
  return own ?? (resource.subresources?.includes('status') === true ? specAndStatus : plainObject);
}
