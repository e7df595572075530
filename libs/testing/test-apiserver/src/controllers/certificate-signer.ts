import type { ApiObject } from '@podwright/api-machinery';
import type { CertificateSigningRequest } from '@podwright/kube-types';
import { formatRfc3339 } from '@podwright/time';
import { readCertificateRequest } from '@podwright/x509';
import type { ClusterAuthority } from '../identity/cluster-authority.js';
import type { ObjectRegistry } from '../registry/object-registry.js';
import type { ServerContext } from '../registry/server-context.js';
import type { Controller } from './controller.js';
import { clientSigner, kubeletRequestFault, servingSigner } from './kubelet-certificates.js';

type Csr = CertificateSigningRequest;
type CsrCondition = NonNullable<NonNullable<Csr['status']>['conditions']>[number];

/** Which requests to approve automatically: those that upstream's controller approves (`client`), all, or none. */
export type AutoApproval = 'client' | 'all' | 'none';

const yearMs = 365 * 86_400_000;
const backdateMs = 5 * 60_000;
const shortMs = 8 * 3_600_000;

/**
 * Approves and signs certificate requests of kubelets.
 * Source: kubernetes v1.36 pkg/controller/certificates, signer/signer.go and approver/sarapprove.go.
 */
export function certificateSigner(
  { clock, table }: ServerContext,
  registry: ObjectRegistry,
  authority: ClusterAuthority,
  approval: AutoApproval,
): Controller {
  const resource = table.get('certificatesigningrequests', 'certificates.k8s.io');
  return ({ type, resource: key, object }) => {
    if (key !== 'certificatesigningrequests.certificates.k8s.io' || type === 'DELETED') return;
    const current = registry.find(resource, '', object.metadata.name ?? '');
    if (current === undefined || current.metadata.resourceVersion !== object.metadata.resourceVersion) return;
    const csr = current as unknown as Csr;
    const has = (condition: string): boolean =>
      (csr.status?.conditions ?? []).some((known) => known.type === condition && known.status === 'True');
    if (has('Denied') || has('Failed') || csr.status?.certificate) return;
    if (![clientSigner, servingSigner].includes(csr.spec.signerName)) return;
    const message = has('Approved') ? undefined : approvalMessage(csr, approval);
    if (has('Approved')) sign(current, csr);
    else if (message !== undefined)
      addCondition(current, { type: 'Approved', status: 'True', reason: 'AutoApproved', message });
  };

  function addCondition(object: ApiObject, condition: CsrCondition): void {
    const status = object.status as Csr['status'];
    const now = formatRfc3339(clock.now()) as unknown as NonNullable<CsrCondition['lastUpdateTime']>;
    const stamped = { ...condition, lastUpdateTime: now, lastTransitionTime: now };
    registry.put(resource, { ...object, status: { ...status, conditions: [...(status?.conditions ?? []), stamped] } });
  }

  function sign(object: ApiObject, { spec }: Csr): void {
    const request = readCertificateRequest(Buffer.from(spec.request, 'base64').toString());
    const fault = kubeletRequestFault(spec.signerName, request, spec.usages ?? []);
    if (fault !== undefined) {
      addCondition(object, { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message: fault });
      return;
    }
    const wantedMs = spec.expirationSeconds === undefined ? yearMs : spec.expirationSeconds * 1_000;
    const lifetimeMs = Math.min(wantedMs, yearMs);
    const now = clock.now();
    const certificate = authority.sign({
      ...request,
      usages: spec.usages ?? [],
      notBeforeMs: now - backdateMs,
      notAfterMs: now + lifetimeMs - (lifetimeMs < shortMs ? 0 : backdateMs),
    });
    const status = { ...(object.status as object), certificate: Buffer.from(certificate).toString('base64') };
    registry.put(resource, { ...object, status });
  }
}

function approvalMessage({ spec }: Csr, approval: AutoApproval): string | undefined {
  if (approval === 'none') return undefined;
  if (approval === 'all') return 'Auto approving all certificate requests of kubelets.';
  if (spec.signerName !== clientSigner) return undefined;
  const request = readCertificateRequest(Buffer.from(spec.request, 'base64').toString());
  if (kubeletRequestFault(clientSigner, request, spec.usages ?? []) !== undefined) return undefined;
  if (spec.username === request.subject.commonName) {
    return 'Auto approving self kubelet client certificate after SubjectAccessReview.';
  }
  const mayBootstrap = (spec.groups ?? []).some((group) => ['system:bootstrappers', 'system:masters'].includes(group));
  return mayBootstrap ? 'Auto approving kubelet client certificate after SubjectAccessReview.' : undefined;
}
