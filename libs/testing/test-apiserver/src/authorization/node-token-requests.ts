import { objectKey, type Pod } from '@podwright/kube-types';
import { refused, type AdmissionRequest } from '../admission/admission.js';
import { notFound } from '../api-error.js';
import type { ServerContext } from '../registry/server-context.js';

interface TokenRequestSpec {
  readonly audiences?: readonly string[];
  readonly boundObjectRef?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly uid?: string;
  };
}

/**
 * Lets a node request tokens only for its own pods, with the audiences in their specs.
 * Source: as for NodeRestriction, admitServiceAccount.
 */
export function admitTokenOfNode(node: string, request: AdmissionRequest, { store, table }: ServerContext): void {
  if (request.operation !== 'CREATE' || request.subresource !== 'token') return;
  const { boundObjectRef, audiences = [] } = (request.object?.spec ?? {}) as TokenRequestSpec;
  if (boundObjectRef?.apiVersion !== 'v1' || boundObjectRef.kind !== 'Pod' || !boundObjectRef.name) {
    throw refused(request, 'node requested token not bound to a pod');
  }
  const { name, uid } = boundObjectRef;
  if (!uid) throw refused(request, 'node requested token with a pod binding without a uid');
  const pod = store.get('pods', objectKey(request.namespace, name)) as unknown as Pod | undefined;
  if (pod === undefined) throw notFound(table.get('pods'), name);
  if (uid !== pod.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw refused(request, why);
  }
  if (pod.spec.nodeName !== node) {
    throw refused(request, 'node requested token bound to a pod scheduled on a different node');
  }
  if (audiences.length > 1) throw refused(request, 'node may only request 0 or 1 audiences');
  const audience = audiences[0] ?? '';
  if (!mentionsAudience(pod, audience, store)) {
    const who = request.user.name;
    throw refused(
      request,
      `audience "${audience}" not found in pod spec volume, ${who} is not authorized to request tokens for this audience`,
    );
  }
}

function mentionsAudience(pod: Pod, audience: string, store: ServerContext['store']): boolean {
  return (pod.spec.volumes ?? []).some((volume) => {
    const projected = volume.projected?.sources ?? [];
    if (
      projected.some(({ serviceAccountToken: token }) => token !== undefined && (token.audience ?? '') === audience)
    ) {
      return true;
    }
    const driver = volume.csi === undefined ? undefined : store.get('csidrivers.storage.k8s.io', volume.csi.driver);
    const requests = (
      driver?.spec as { readonly tokenRequests?: readonly { readonly audience?: string }[] } | undefined
    )?.tokenRequests;
    return (requests ?? []).some((request) => (request.audience ?? '') === audience);
  });
}
