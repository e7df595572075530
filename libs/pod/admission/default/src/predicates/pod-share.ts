import {
  formatResources,
  isExtendedResource,
  maxResources,
  parseResources,
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

/**
 * What a pod under admission needs. Omits extended resources that the node does not have: they belong to the cluster or
 * are claims. Source: kubernetes v1.36 pkg/kubelet/lifecycle/predicate.go removeMissingExtendedResources,
 * pkg/scheduler/framework/plugins/noderesources/fit.go.
 */
export function neededBy(pod: Pod, allocatable: ResourceList, podLevelResources: boolean): Amounts {
  const claims = pod.status?.extendedResourceClaimStatus?.requestMappings ?? [];
  const isElsewhere = (resource: string, container: string): boolean =>
    isExtendedResource(resource) &&
    (!Object.hasOwn(allocatable, resource) ||
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
  return toAmounts(podRequests(pod, { resourcesOf, skipPodLevel: !podLevelResources }));
}

/** What an admitted pod uses: during a resize, the larger of its old and new amounts. */
export function takenBy(pod: Pod, podLevelResources: boolean): PodShare {
  const resourcesOf = shownResources(pod);
  return {
    requests: toAmounts(podRequests(pod, { skipPodLevel: !podLevelResources, ...(resourcesOf && { resourcesOf }) })),
    hostPorts: hostPortsOf(pod),
  };
}

// Source: kubernetes v1.36 component-helpers/resource/helpers.go determineContainerReqs.
function shownResources(pod: Pod): ((container: Container) => ResourceRequirements | undefined) | undefined {
  const { containerStatuses = [], initContainerStatuses = [], conditions = [] } = pod.status ?? {};
  const shown = new Map(
    [...initContainerStatuses, ...containerStatuses]
      .filter(({ resources }) => resources !== undefined)
      .map((status) => [status.name, status]),
  );
  if (shown.size === 0) return undefined;
  const infeasible = conditions.some(({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible');
  return (container) => {
    const status = shown.get(container.name);
    if (status === undefined) return container.resources;
    const actual = maxResources(parseResources(status.resources?.requests), parseResources(status.allocatedResources));
    const wanted = infeasible ? {} : parseResources(container.resources?.requests);
    return { requests: formatResources(maxResources(wanted, actual)) };
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
