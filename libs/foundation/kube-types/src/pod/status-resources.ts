import type { Container, Pod, ResourceRequirements } from '../objects.js';
import { formatResources, maxResources, parseResources } from './resource-amounts.js';
import type { ResourceAmounts, ResourceList } from './resource-amounts.js';
import { isSidecar } from './restart-policy.js';

/**
 * The resources of a container while it is resized: what it asks for, was granted and still has, whichever is most. As
 * upstream, an init container that is no sidecar counts with what it asks for. Source: kubernetes v1.36
 * component-helpers/resource/helpers.go determineEffectiveRequests.
 */
export function effectiveResources(pod: Pod): (container: Container) => ResourceRequirements | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const statuses = new Map([...containerStatuses, ...initContainerStatuses].map((status) => [status.name, status]));
  const ordinaryInit = new Set((pod.spec.initContainers ?? []).filter((container) => !isSidecar(container)));
  return (container) => {
    const status = statuses.get(container.name);
    if (status?.resources === undefined || ordinaryInit.has(container)) return container.resources;
    const { requests } = status.resources;
    const amounts = effectiveAmounts(pod, container.resources?.requests, requests, status.allocatedResources);
    return { ...container.resources, requests: formatResources(amounts) };
  };
}

/** Pod-level requests while they are resized, as {@link effectiveResources}; undefined without a status of them. */
export function effectivePodLevelRequests(pod: Pod): ResourceAmounts | undefined {
  const { resources, allocatedResources } = pod.status ?? {};
  if (resources === undefined) return undefined;
  return effectiveAmounts(pod, pod.spec.resources?.requests, resources.requests, allocatedResources);
}

function effectiveAmounts(
  pod: Pod,
  ...[wanted, actual, allocated]: readonly (ResourceList | undefined)[]
): ResourceAmounts {
  const known: ResourceAmounts = maxResources(parseResources(actual), parseResources(allocated));
  return isResizeInfeasible(pod) ? known : maxResources(parseResources(wanted), known);
}

// As upstream, only the first condition of the type counts.
function isResizeInfeasible(pod: Pod): boolean {
  return pod.status?.conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible';
}
