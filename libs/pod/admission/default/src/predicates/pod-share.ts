import {
  isClaimableResource,
  isExtendedResource,
  podRequests,
  quantityToMilli,
  quantityValue,
  type Container,
  type Pod,
  type QuantityLike,
  type ResourceAmounts,
  type ResourceList,
  type ResourceRequirements,
} from '@podwright/kube-types';
import { hostPortsOf, type HostPort } from './host-ports.js';
import { isMeasuredResource } from './resource-names.js';

/** Amounts above zero by resource, in the units of `amountOf`. */
export type Amounts = ReadonlyMap<string, bigint>;

/** The share of the node that one pod uses. */
export interface PodShare {
  readonly requests: Amounts;
  readonly hostPorts: readonly HostPort[];
}

/** Thousandths of cpu, bytes or counts of everything else, rounded up. */
export function amountOf(resource: string, quantity: QuantityLike): bigint {
  return resource === 'cpu' ? BigInt(quantityToMilli(quantity)) : quantityValue(quantity);
}

/** Feature gates that decide what counts as requested. */
export interface ShareGates {
  readonly podLevelResources: boolean;
  readonly podLevelResize: boolean;
  readonly extendedResources: boolean;
  readonly nodeAllocatableClaims: boolean;
}

/**
 * What a pod under admission needs. Omits extended resources that the node does not have: they belong to the cluster or
 * are claims. Source: kubernetes v1.36 pkg/kubelet/lifecycle/predicate.go removeMissingExtendedResources,
 * pkg/scheduler/framework/plugins/noderesources/fit.go.
 */
export function neededBy(pod: Pod, allocatable: ResourceList, gates: ShareGates): Amounts {
  const claims = gates.extendedResources ? (pod.status?.extendedResourceClaimStatus?.requestMappings ?? []) : [];
  const isElsewhere = (resource: string, container: string): boolean =>
    (isExtendedResource(resource) && !Object.hasOwn(allocatable, resource)) ||
    (isClaimableResource(resource) &&
      claims.some(({ resourceName, containerName }) => resourceName === resource && containerName === container));
  const resourcesOf = (container: Container): ResourceRequirements | undefined => {
    const { requests } = container.resources ?? {};
    if (requests === undefined || !Object.keys(requests).some((name) => isElsewhere(name, container.name))) {
      return container.resources;
    }
    return {
      requests: Object.fromEntries(Object.entries(requests).filter(([name]) => !isElsewhere(name, container.name))),
    };
  };
  const { podLevelResources, nodeAllocatableClaims } = gates;
  return toAmounts(podRequests(pod, { resourcesOf, skipPodLevel: !podLevelResources, nodeAllocatableClaims }));
}

/** What an admitted pod uses: during a resize, the larger of its old and new amounts. */
export function takenBy(pod: Pod, { podLevelResources, podLevelResize, nodeAllocatableClaims }: ShareGates): PodShare {
  const options = { useStatus: true, podLevelStatus: podLevelResize, nodeAllocatableClaims };
  return {
    requests: toAmounts(podRequests(pod, { skipPodLevel: !podLevelResources, ...options })),
    hostPorts: hostPortsOf(pod),
  };
}

function toAmounts(requests: ResourceAmounts): Amounts {
  const amounts = new Map<string, bigint>();
  for (const [name, quantity] of Object.entries(requests)) {
    const amount = isMeasuredResource(name) ? amountOf(name, quantity) : 0n;
    if (amount > 0n) amounts.set(name, amount);
  }
  return amounts;
}
