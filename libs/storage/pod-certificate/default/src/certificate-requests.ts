import { KubeletError, rethrowWith } from '@podwright/errors';
import { podCertificateRequests, serviceAccounts, type KubeClient } from '@podwright/kube-client-interface';
import { goQuote, podUid, type PodCertificateRequest } from '@podwright/kube-types';
import type { NodeSource } from '@podwright/node-status-interface';
import type { CertificateSource } from './certificate-source.js';
import { generateKeyAndRequest } from './key-and-request.js';

/** For messages: a pod's first certificate, or a new one. */
export type RequestPurpose = 'initial' | 'refresh';

export interface CertificateRequestDeps {
  readonly client: Pick<KubeClient, 'get' | 'create'>;
  readonly nodeSource: Pick<NodeSource, 'getNode'>;
}

/**
 * Creates a request with a new key for a source of a pod. Rejects in upstream's words with the code of the cause. A
 * request whose answer is lost stays on the API server until it is collected with the pod. Source: kubernetes v1.36
 * pkg/kubelet/podcertificate createPodCertificateRequest.
 */
export async function sendRequest(
  { client, nodeSource }: CertificateRequestDeps,
  nodeName: string,
  { pod, projection }: CertificateSource,
  purpose: RequestPurpose,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly privateKey: string }> {
  const { namespace = '', name: podName = '' } = pod.metadata;
  const { serviceAccountName = '' } = pod.spec;
  const serviceAccountUID = await uidOfAccount(client, namespace, serviceAccountName, signal);
  const nodeUID = uidOfNode(nodeSource, nodeName);
  const { signerName, keyType, maxExpirationSeconds, userAnnotations } = projection;
  const words = `while creating ${purpose} PodCertificateRequest`;
  const { privateKey, request } = await generateKeyAndRequest(keyType).catch(
    rethrowWith(`${words}: while generating keypair`),
  );
  const object: PodCertificateRequest = {
    apiVersion: 'certificates.k8s.io/v1beta1',
    kind: 'PodCertificateRequest',
    metadata: {
      namespace,
      generateName: 'req-',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: podName, uid: podUid(pod) }],
    },
    spec: {
      signerName,
      podName,
      podUID: podUid(pod),
      serviceAccountName,
      serviceAccountUID,
      nodeName,
      nodeUID,
      ...(maxExpirationSeconds !== undefined && { maxExpirationSeconds }),
      stubPKCS10Request: request,
      ...(userAnnotations !== undefined && { unverifiedUserAnnotations: userAnnotations }),
    },
  };
  const created = await client
    .create(podCertificateRequests, object, { signal })
    .catch(rethrowWith(`${words}: while creating on API`));
  return { name: created.metadata?.name ?? '', privateKey };
}

async function uidOfAccount(
  client: Pick<KubeClient, 'get'>,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const what = 'while fetching service account';
  // Only a static pod has none.
  if (name === '') throw new KubeletError(`${what}: resource name may not be empty`, { code: 'invalid-argument' });
  const account = await client.get(serviceAccounts, { namespace, name }, { signal }).catch(rethrowWith(what));
  return account.metadata?.uid ?? '';
}

function uidOfNode(nodeSource: Pick<NodeSource, 'getNode'>, nodeName: string): string {
  const uid = nodeSource.getNode().metadata?.uid;
  if (uid !== undefined) return uid;
  const message = `while getting node object from local cache: node ${goQuote(nodeName)} not found`;
  throw new KubeletError(message, { code: 'unavailable' });
}
