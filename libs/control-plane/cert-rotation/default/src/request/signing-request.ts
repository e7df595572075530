import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { certificateSigningRequests, type KubeClient, type ResourceType } from '@podwright/kube-client-interface';
import type { CertificateSigningRequest } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { readCertificateRequest, readCertificates } from '@podwright/x509';

export interface SigningRequestOptions {
  /** PKCS#10, PEM. */
  readonly request: string;
  readonly signerName: string;
  readonly usages: readonly string[];
  /** Empty: the server generates a name that begins with `csr-`. */
  readonly name?: string;
}

/** A request that the server has stored. */
export interface SubmittedRequest {
  readonly name: string;
  readonly uid: string;
  readonly resource: ResourceType<CertificateSigningRequest>;
}

const oldRequests: ResourceType<CertificateSigningRequest> = { ...certificateSigningRequests, version: 'v1beta1' };

/**
 * Requests a certificate. Resumes an existing request with the given name, from before a restart, if its key and
 * subject are the same. Source: kubernetes v1.36 staging/src/k8s.io/client-go/util/certificate/csr/csr.go.
 */
export async function submitRequest(
  client: Pick<KubeClient, 'create' | 'get'>,
  options: SigningRequestOptions,
  { clock, logger }: { readonly clock: Pick<Clock, 'now'>; readonly logger: Logger },
  signal: AbortSignal,
): Promise<SubmittedRequest> {
  try {
    return await createRequest(client, options, logger, signal);
  } catch (error) {
    const { name = '' } = options;
    if (name === '' || !hasCode(error, 'already-exists')) throw refused('create', error);
    logger.info('csr for this node already exists, reusing', { csr: name });
    return await adopt(client, { ...options, name }, clock.now(), signal);
  }
}

async function createRequest(
  client: Pick<KubeClient, 'create'>,
  { request, signerName, usages, name = '' }: SigningRequestOptions,
  logger: Logger,
  signal: AbortSignal,
): Promise<SubmittedRequest> {
  const send = async (resource: ResourceType<CertificateSigningRequest>): Promise<SubmittedRequest> => {
    const { metadata } = await client.create(
      resource,
      {
        apiVersion: `${resource.group}/${resource.version}`,
        kind: resource.kind,
        metadata: name === '' ? { generateName: 'csr-' } : { name },
        spec: { request: Buffer.from(request).toString('base64'), signerName, usages: [...usages] },
      },
      { signal },
    );
    const submitted = { name: metadata?.name ?? '', uid: metadata?.uid ?? '', resource };
    logger.debug(2, 'Certificate signing request created', { csr: submitted.name });
    return submitted;
  };
  try {
    return await send(certificateSigningRequests);
  } catch (error) {
    // A server before 1.19 lacks this version of the resource.
    if (!hasCode(error, 'not-found')) throw error;
    return await send(oldRequests);
  }
}

async function adopt(
  client: Pick<KubeClient, 'get'>,
  { request, signerName, name = '' }: SigningRequestOptions,
  nowMs: number,
  signal: AbortSignal,
): Promise<SubmittedRequest> {
  const resource = certificateSigningRequests;
  const found = await client.get(resource, { name }, { signal }).catch((error: unknown) => {
    throw refused('retrieve', error);
  });
  const fault = incompatibility(found, request, signerName, nowMs);
  if (fault !== undefined)
    throw new KubeletError(`retrieved csr is not compatible: ${fault}`, { code: 'failed-precondition' });
  return { name, uid: found.metadata?.uid ?? '', resource };
}

function incompatibility(
  found: CertificateSigningRequest,
  request: string,
  signerName: string,
  nowMs: number,
): string | undefined {
  const theirs = readCertificateRequest(Buffer.from(found.spec.request, 'base64').toString());
  const ours = readCertificateRequest(request);
  if (JSON.stringify(theirs.subject) !== JSON.stringify(ours.subject))
    return `csr subjects differ: new: ${JSON.stringify(theirs.subject)}, orig: ${JSON.stringify(ours.subject)}`;
  if (found.spec.signerName !== signerName)
    return `csr signerNames differ: new ${JSON.stringify(found.spec.signerName)}, orig: ${JSON.stringify(signerName)}`;
  if (!theirs.publicKey.equals(ours.publicKey)) return 'error validating signature new CSR against old key';
  const issued = Buffer.from(found.status?.certificate ?? '', 'base64').toString();
  const expired = readCertificates(issued).find(({ notAfterMs }) => nowMs > notAfterMs);
  if (expired === undefined) return undefined;
  return `one of the certificates for the CSR has expired: ${new Date(expired.notAfterMs).toISOString()}`;
}

function refused(verb: string, error: unknown): KubeletError {
  const { code, reason } = KubeletError.from(error);
  return new KubeletError(`cannot ${verb} certificate signing request: ${messageOf(error)}`, {
    code,
    cause: error,
    ...(reason !== undefined && { reason }),
  });
}
