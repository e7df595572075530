import { KubeletError } from '@podwright/errors';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '@podwright/kube-types';

const protectionFinalizer = 'kubernetes.io/pvc-protection';

/** The name of the volume's claim; undefined when it has none. That of a generic ephemeral volume has the pod's name. */
export function claimNameOf(pod: Pod, { name, persistentVolumeClaim, ephemeral }: Volume): string | undefined {
  if (persistentVolumeClaim) return persistentVolumeClaim.claimName;
  return ephemeral ? `${pod.metadata.name ?? ''}-${name}` : undefined;
}

/** The name of the PersistentVolume that the claim is bound to. @throws KubeletError `failed-precondition` */
export function boundVolumeName({ metadata, spec, status }: PersistentVolumeClaim): string {
  // The finalizer keeps a claim until its last pod has ended, so it is only missing when the claim goes at once.
  if (metadata?.deletionTimestamp !== undefined && !(metadata.finalizers ?? []).includes(protectionFinalizer)) {
    throw unusable('PVC is being deleted');
  }
  if (status?.phase !== 'Bound') throw unusable('PVC is not bound');
  if (!spec?.volumeName) throw unusable('PVC has empty pvc.Spec.VolumeName');
  return spec.volumeName;
}

/**
 * Refuses a claim with the name of an ephemeral volume that was not created for the pod. Source: kubernetes v1.36
 * staging/src/k8s.io/component-helpers/storage/ephemeral/ephemeral.go VolumeIsForPod.
 */
export function requireOwner({ metadata: claim = {} }: PersistentVolumeClaim, { metadata: pod }: Pod): void {
  const owner = claim.ownerReferences?.find(({ controller }) => controller === true);
  if (claim.namespace === pod.namespace && owner !== undefined && owner.uid === pod.uid) return;
  const [of, to] = [claim, pod].map(({ namespace = '', name = '' }) => `${namespace}/${name}`);
  throw unusable(`PVC ${of} was not created for pod ${to} (pod is not owner)`);
}

/** Refuses a volume that is not, or no longer, bound to the claim. */
export function requireBoundTo({ metadata, spec }: PersistentVolume, claim: PersistentVolumeClaim): void {
  const name = metadata?.name ?? '';
  const reference = spec?.claimRef;
  if (!reference) {
    throw unusable(
      `found PV object ${name} but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`,
    );
  }
  const [of, wanted] = [reference.uid ?? '', claim.metadata?.uid ?? ''];
  if (of === wanted) return;
  throw unusable(`found PV object ${name} but its pv.Spec.ClaimRef.UID ${of} does not point to claim.UID ${wanted}`);
}

/** A claim, or its volume, that cannot be used as it is. */
export function unusable(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
