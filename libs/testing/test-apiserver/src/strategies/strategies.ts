import { type GroupResource, qualified } from '@podwright/api-machinery';
import { csrStrategy } from './csr-strategy.js';
import { plainObject, specAndStatus } from './generic-strategies.js';
import {
  configMapStrategy,
  leaseStrategy,
  namespaceStrategy,
  nodeStrategy,
  secretStrategy,
} from './object-strategies.js';
import { podCertificateRequestStrategy } from './pod-certificate-request-strategy.js';
import { podStrategy } from './pod-strategy.js';
import type { ResourceStrategy } from './resource-strategy.js';
import { serviceStrategy } from './service-strategy.js';
import { csiDriverStrategy, storageClassStrategy } from './storage-strategies.js';
import { persistentVolumeClaimStrategy, persistentVolumeStrategy } from './volume-strategies.js';

const special: Readonly<Record<string, ResourceStrategy>> = {
  'certificatesigningrequests.certificates.k8s.io': csrStrategy,
  configmaps: configMapStrategy,
  'csidrivers.storage.k8s.io': csiDriverStrategy,
  'csinodes.storage.k8s.io': {},
  'leases.coordination.k8s.io': leaseStrategy,
  namespaces: namespaceStrategy,
  nodes: nodeStrategy,
  persistentvolumeclaims: persistentVolumeClaimStrategy,
  persistentvolumes: persistentVolumeStrategy,
  'podcertificaterequests.certificates.k8s.io': podCertificateRequestStrategy,
  pods: podStrategy,
  secrets: secretStrategy,
  serviceaccounts: { unconditionalUpdate: true, returnsDeleted: true },
  services: serviceStrategy,
  'storageclasses.storage.k8s.io': storageClassStrategy,
};

/** The strategy of a resource: its own, or a generic one. */
export function strategyOf(resource: GroupResource & { readonly subresources?: readonly string[] }): ResourceStrategy {
  const own = special[qualified(resource)];
  return own ?? (resource.subresources?.includes('status') === true ? specAndStatus : plainObject);
}
