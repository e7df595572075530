import { KubeletError } from '@podwright/errors';
import type { Informer, KubeClient } from '@podwright/kube-client-interface';
import type { CertificateSigningRequest } from '@podwright/kube-types';
import { abortReason, onAbort } from '@podwright/time';
import type { SubmittedRequest } from './signing-request.js';

/** State of a request. */
export type RequestProgress = 'pending' | 'approved';

/**
 * Resolves with the chain (PEM) once the request is approved and the certificate issued. Rejects with
 * `permission-denied` when it is denied, `failed-precondition` when the signer failed, `not-found` when it was deleted
 * or replaced, and on the signal. Source: kubernetes v1.36 staging/src/k8s.io/client-go/util/certificate/csr/csr.go
 * WaitForCertificate.
 */
export async function awaitCertificate(
  client: Pick<KubeClient, 'inform'>,
  { name, uid, resource }: SubmittedRequest,
  signal: AbortSignal,
  onProgress: (progress: RequestProgress) => void,
): Promise<string> {
  const informer = client.inform(resource, { fieldSelector: `metadata.name=${name}` });
  try {
    return await new Promise<string>((resolve, reject) => {
      if (signal.aborted) return reject(abortReason(signal));
      const unsubscribe = onAbort(signal, () => settle(() => reject(abortReason(signal))));
      const leave = watchOne(informer, name, uid, {
        progress: onProgress,
        issued: (chain) => settle(() => resolve(chain)),
        failed: (error) => settle(() => reject(error)),
      });
      const settle = (end: () => void): void => {
        unsubscribe();
        leave();
        end();
      };
      informer.start();
    });
  } finally {
    await informer.stop();
  }
}

interface Outcome {
  readonly progress: (progress: RequestProgress) => void;
  readonly issued: (chain: string) => void;
  readonly failed: (error: KubeletError) => void;
}

function watchOne(
  informer: Informer<CertificateSigningRequest>,
  name: string,
  uid: string,
  { progress, issued, failed }: Outcome,
): () => void {
  return informer.watch((change) => {
    if (change.type === 'replaced') return;
    const error = change.type === 'deleted' ? gone(name, 'was deleted') : verdict(change.object, name, uid);
    if (error !== undefined) return failed(error);
    const { conditions = [], certificate = '' } = change.object.status ?? {};
    const approved = conditions.some(({ type }) => type === 'Approved');
    if (approved && certificate !== '') issued(Buffer.from(certificate, 'base64').toString());
    else progress(approved ? 'approved' : 'pending');
  });
}

function verdict(request: CertificateSigningRequest, name: string, uid: string): KubeletError | undefined {
  if (request.metadata?.uid !== uid) return gone(name, 'changed UIDs');
  for (const { type, reason = '', message = '' } of request.status?.conditions ?? []) {
    const text = `reason: ${reason}, message: ${message}`;
    if (type === 'Denied')
      return new KubeletError(`certificate signing request is denied, ${text}`, { code: 'permission-denied' });
    if (type === 'Failed')
      return new KubeletError(`certificate signing request failed, ${text}`, { code: 'failed-precondition' });
  }
  return undefined;
}

function gone(name: string, how: string): KubeletError {
  return new KubeletError(`csr "${name}" ${how}`, { code: 'not-found' });
}
