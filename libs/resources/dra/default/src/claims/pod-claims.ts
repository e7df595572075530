import { KubeletError } from '@podwright/errors';
import { goQuote, isClaimableResource, quantityValue, type Container, type Pod } from '@podwright/kube-types';

type PodClaim = NonNullable<Pod['spec']['resourceClaims']>[number];

/** The ResourceClaim object behind one claim of a pod. */
export interface ClaimReference {
  readonly claimName: string;
  /** The claim was made of a template, so it must belong to the pod. */
  readonly fromTemplate: boolean;
}

/**
 * The name of the object; undefined when none is needed. Throws when it is not known yet.
 * Source: kubernetes v1.36 staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/resourceclaim.go Name.
 */
export function claimReference({ metadata, status }: Pod, claim: PodClaim): ClaimReference | undefined {
  const { name, resourceClaimName, resourceClaimTemplateName } = claim;
  if (resourceClaimName !== undefined) return { claimName: resourceClaimName, fromTemplate: false };
  const pod = `pod "${metadata.namespace ?? ''}/${metadata.name ?? ''}"`;
  if (resourceClaimTemplateName === undefined) {
    const message = `${pod}, spec.resourceClaim ${goQuote(name)}: none of the supported fields are set`;
    throw new KubeletError(message, { code: 'unimplemented' });
  }
  const made = status?.resourceClaimStatuses?.find((candidate) => candidate.name === name);
  if (made === undefined) {
    throw new KubeletError(`${pod}: ResourceClaim not created yet`, { code: 'failed-precondition' });
  }
  const { resourceClaimName: claimName } = made;
  return claimName === undefined ? undefined : { claimName, fromTemplate: true };
}

/** All claims of the pod, the one for extended resources last. Throws as {@link claimReference}. */
export function podClaims(pod: Pod, extendedResources: boolean): readonly ClaimReference[] {
  const claims = (pod.spec.resourceClaims ?? []).flatMap((claim) => claimReference(pod, claim) ?? []);
  const extended = extendedResources ? pod.status?.extendedResourceClaimStatus : undefined;
  if (extended === undefined) return claims;
  return [...claims, { claimName: extended.resourceClaimName, fromTemplate: false }];
}

/** What a container uses of one claim: each of these requests; an empty request stands for all devices. */
export interface ClaimUse {
  readonly claimName: string;
  readonly requests: readonly string[];
}

/**
 * The claims that the container names. Throws as {@link claimReference}. Source: kubernetes v1.36
 * pkg/kubelet/cm/dra/manager.go GetResources.
 */
export function containerClaims(pod: Pod, container: Container, extendedResources: boolean): readonly ClaimUse[] {
  const uses = new Map<string, string[]>();
  const use = (claimName: string, request: string): void => {
    const requests = uses.get(claimName);
    if (requests === undefined) uses.set(claimName, [request]);
    else requests.push(request);
  };
  for (const claim of pod.spec.resourceClaims ?? []) {
    const named = (container.resources?.claims ?? []).filter(({ name }) => name === claim.name);
    const reference = named.length === 0 ? undefined : claimReference(pod, claim);
    if (reference !== undefined) for (const { request = '' } of named) use(reference.claimName, request);
  }
  const extended = extendedResources ? pod.status?.extendedResourceClaimStatus : undefined;
  for (const { containerName, resourceName, requestName } of extended?.requestMappings ?? [])
    if (containerName === container.name && requests(container, resourceName))
      use(extended?.resourceClaimName ?? '', requestName);
  return [...uses].map(([claimName, requested]) => ({ claimName, requests: requested }));
}

function requests({ resources }: Container, resource: string): boolean {
  const quantity = resources?.requests?.[resource];
  if (quantity === undefined || quantityValue(quantity) === 0n) return false;
  return isClaimableResource(resource);
}
