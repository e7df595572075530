import {
  maxResources,
  formatResources,
  parseResources,
  podRequests,
  type Container,
  type Pod,
  type ResourceAmounts,
} from '@podwright/kube-types';

/**
 * What a pod uses during a resize: per container the maximum of the given spec, its allocation and what the runtime
 * reports. Source: kubernetes v1.36 component-helpers/resource/helpers.go, UseStatusResources.
 */
export function requestsWithStatus(pod: Pod, options: { readonly skipPodLevel: boolean }): ResourceAmounts {
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const infeasible = (pod.status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible',
  );
  const resourcesOf = (container: Container): Container['resources'] => {
    const status = statuses.find(({ name }) => name === container.name);
    if (status === undefined) return container.resources;
    const known = maxResources(parseResources(status.resources?.requests), parseResources(status.allocatedResources));
    const requests = infeasible ? known : maxResources(parseResources(container.resources?.requests), known);
    return { ...container.resources, requests: { ...formatResources(requests) } };
  };
  return podRequests(pod, { ...options, resourcesOf });
}
