import { ApiError } from '@podwright/api-machinery';
import { configMirrorAnnotation, objectKey, type Pod, type PodCertificateRequest } from '@podwright/kube-types';
import { refused, type AdmissionRequest } from '../admission/admission.js';
import type { ServerContext } from '../registry/server-context.js';

/**
 * Lets a node request certificates only for its own pods, as their service accounts. What could come from a server whose
 * copy is late is no refusal: the node tries again. Source: as for NodeRestriction, admitPodCertificateRequest.
 */
export function admitPodCertificateOfNode(node: string, request: AdmissionRequest, { store }: ServerContext): void {
  const { operation, subresource, namespace } = request;
  if (operation !== 'CREATE') throw refused(request, `unexpected operation ${operation}`);
  if (subresource !== '') throw refused(request, `unexpected subresource ${subresource}`);
  const { spec } = request.object as unknown as PodCertificateRequest;
  if (spec.nodeName !== node) {
    const why = `PodCertificateRequest.Spec.NodeName="${spec.nodeName}", which is not the requesting node "${node}"`;
    throw refused(request, why);
  }
  const named = `${namespace}/${spec.podName}`;
  const ours = `PodCertificateRequest for pod "${named}"`;
  const found = store.get('nodes', node) ?? missing('node', node, 'node', node);
  if (found.metadata.uid !== spec.nodeUID) {
    const uid = found.metadata.uid ?? '';
    throw late(`${ours} names node UID "${spec.nodeUID}", inconsistent with the running node ("${uid}")`);
  }
  const pod = (store.get('pods', objectKey(namespace, spec.podName)) ??
    missing('pod', named, 'pod', spec.podName)) as unknown as Pod;
  if (pod.metadata.uid !== spec.podUID) {
    const uid = pod.metadata.uid ?? '';
    throw late(`${ours} contains pod UID ("${spec.podUID}") which differs from running pod "${uid}"`);
  }
  if (pod.spec.nodeName !== node) {
    throw refused(request, `pod "${named}" is not running on node "${node}" named in the PodCertificateRequest`);
  }
  if (pod.metadata.annotations?.[configMirrorAnnotation] !== undefined) {
    throw refused(request, `pod "${named}" is a mirror pod`);
  }
  const account = pod.spec.serviceAccountName ?? '';
  if (spec.serviceAccountName !== account) {
    const why = `${ours} contains serviceAccountName ("${spec.serviceAccountName}") that differs from running pod ("${account}")`;
    throw refused(request, why);
  }
  const known =
    store.get('serviceaccounts', objectKey(namespace, account)) ??
    missing('service account', `${namespace}/${account}`, 'serviceaccount', account);
  if (known.metadata.uid !== spec.serviceAccountUID) {
    const uid = known.metadata.uid ?? '';
    throw late(
      `${ours} names service account UID "${spec.serviceAccountUID}", which differs from the running service account ("${uid}")`,
    );
  }
}

/** With the words of the server's cache, which names the kind. */
function missing(what: string, shown: string, kind: string, name: string): never {
  throw late(`while retrieving ${what} "${shown}" named in the PodCertificateRequest: ${kind} "${name}" not found`);
}

function late(message: string): ApiError {
  return new ApiError(500, '', message);
}
