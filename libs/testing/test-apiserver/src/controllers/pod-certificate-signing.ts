import type { ApiObject } from '@podwright/api-machinery';
import type { PodCertificateRequest } from '@podwright/kube-types';
import type { PodCertificateSigner, PodSigner } from '../identity/pod-certificate-signer.js';
import type { ObjectRegistry } from '../registry/object-registry.js';
import type { ServerContext } from '../registry/server-context.js';
import type { Controller } from './controller.js';

/**
 * Answers the requests for certificates of pods, by the names of their signers. Its certificates may live shorter than a
 * real server allows, so that a renewal can be seen soon.
 */
export function podCertificateSigning(
  { table }: ServerContext,
  registry: ObjectRegistry,
  signer: PodCertificateSigner,
  signers: Readonly<Record<string, PodSigner>>,
): Controller {
  const resource = table.get('podcertificaterequests', 'certificates.k8s.io');
  return ({ type, resource: key, object }) => {
    if (key !== 'podcertificaterequests.certificates.k8s.io' || type === 'DELETED') return;
    const { namespace = '', name = '', resourceVersion } = object.metadata;
    const current = registry.find(resource, namespace, name);
    if (current === undefined || current.metadata.resourceVersion !== resourceVersion) return;
    const request = current as unknown as PodCertificateRequest;
    if ((request.status?.conditions ?? []).length > 0) return;
    const answer = signers[request.spec.signerName]?.(request) ?? { type: 'wait' };
    const status = signer.statusFor(request, answer);
    if (status !== undefined) registry.put(resource, { ...current, status } as ApiObject);
  };
}
