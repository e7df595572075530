import { isTerminalPhase, type Pod, type ResourceClaim } from '@podwright/kube-types';

/** Names of the claims that the pod uses and that exist: its own, those of templates, that of extended resources. */
export function claimNamesOf({ spec, status }: Pod): readonly string[] {
  const generated = status?.resourceClaimStatuses ?? [];
  const names = (spec.resourceClaims ?? []).map(
    ({ name, resourceClaimName }) =>
      resourceClaimName ?? generated.find((entry) => entry.name === name)?.resourceClaimName,
  );
  return [...names, status?.extendedResourceClaimStatus?.resourceClaimName].filter((name) => name !== undefined);
}

/** Source: kubernetes v1.36 pkg/controller/resourceclaim/controller.go, podNeedsClaims. */
export function needsClaims({ metadata, spec, status }: Pod): boolean {
  if (isTerminalPhase(status?.phase)) return false;
  return metadata.deletionTimestamp === undefined || Boolean(spec.nodeName);
}

/** Whether the pod is the claim's controller. */
export function isOwnedBy({ metadata }: ResourceClaim, pod: Pod): boolean {
  return (metadata?.ownerReferences ?? []).some(
    ({ uid, controller }) => controller === true && uid === pod.metadata.uid,
  );
}

/** The owner reference of claims that are made for a pod. */
export function podOwner({ metadata }: Pod): object {
  return { apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid: metadata.uid, controller: true };
}
