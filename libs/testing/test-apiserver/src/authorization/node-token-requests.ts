import { notFound } from '@podwright/api-machinery';
import { objectKey } from '@podwright/kube-types';
import type { CsiDriver, PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '@podwright/kube-types';
import { refused, type AdmissionRequest } from '../admission/admission.js';
import { claimNamesOf } from '../controllers/volumes/pod-claims.js';
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
 * Lets a node request tokens only for its own pods, with the audiences in their specs, and those that the CSI drivers of
 * their volumes ask for.
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
    const driver = store.get('csidrivers.storage.k8s.io', driverOf(pod, volume, store)) as CsiDriver | undefined;
    return (driver?.spec.tokenRequests ?? []).some((request) => (request.audience ?? '') === audience);
  });
}

/** The CSI driver of a volume of the pod, found by its claim if it has one; empty for other volumes. */
function driverOf(pod: Pod, volume: Volume, store: ServerContext['store']): string {
  const [claimName] = claimNamesOf({ ...pod, spec: { ...pod.spec, volumes: [volume] } });
  if (claimName === undefined) return volume.csi?.driver ?? '';
  const claim = store.get('persistentvolumeclaims', objectKey(pod.metadata.namespace, claimName));
  const bound = store.get('persistentvolumes', (claim as PersistentVolumeClaim | undefined)?.spec?.volumeName ?? '');
  return (bound as PersistentVolume | undefined)?.spec?.csi?.driver ?? '';
}
