import { resourceKey, type GroupResource } from '../resources/api-resource.js';
import { plainObject, specAndStatus, specUpdate, statusUpdate } from './generic-strategies.js';
import type { ResourceStrategy } from './resource-strategy.js';

const special: Readonly<Record<string, ResourceStrategy>> = {
  pods: { ...specAndStatus, returnsDeleted: true },
  // The kubelet registers its node with the status already in it.
  nodes: { update: specUpdate, subresources: { status: statusUpdate }, unconditionalUpdate: true },
  'leases.coordination.k8s.io': { createOnUpdate: true },
};

/** The strategy of a resource: its own, or the one of its shape. */
export function strategyOf(resource: GroupResource & { readonly subresources?: readonly string[] }): ResourceStrategy {
  const own = special[resourceKey(resource)];
  return own ?? (resource.subresources?.includes('status') === true ? specAndStatus : plainObject);
}
