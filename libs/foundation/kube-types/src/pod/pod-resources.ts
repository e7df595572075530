import { isHugePageResource } from '../names/resource-names.js';
import type { Container, Pod, ResourceRequirements } from '../objects.js';
import { isSidecar } from './restart-policy.js';
import type { ResourceAmounts } from './resource-amounts.js';
import { addResources, maxResources, parseResources } from './resource-amounts.js';
import { addQuantities } from '../quantity/quantity-values.js';

export interface PodResourcesOptions {
  /** Leave `spec.overhead` out. Default false. */
  readonly excludeOverhead?: boolean;
  /** Ignore pod-level `spec.resources` and add up the containers. Default false. */
  readonly skipPodLevel?: boolean;
  /**
   * Returns the resources to count for a container, such as the allocated ones during a resize. Default: its spec's.
   */
  readonly resourcesOf?: (container: Container) => ResourceRequirements | undefined;
}

/** True for a resource that pod-level `spec.resources` may contain. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePageResource(name);
}

/** True when pod-level `spec.resources` names at least one supported resource. */
export function hasPodLevelResources(pod: Pod): boolean {
  const resources = pod.spec.resources;
  if (resources === undefined) return false;
  return [resources.requests, resources.limits].some((list) => Object.keys(list ?? {}).some(isPodLevelResource));
}

/**
 * The pod's requests: the sum over its regular containers and sidecars, or the peak of the init phase if that is more.
 * Pod-level requests replace this, and overhead is added. Source: kubernetes v1.36
 * component-helpers/resource/helpers.go.
 */
export function podRequests(pod: Pod, options: PodResourcesOptions = {}): ResourceAmounts {
  const containers = aggregate(pod, options, 'requests');
  const podLevel = options.skipPodLevel === true ? {} : podLevelAmounts(pod, 'requests');
  const overhead = options.excludeOverhead === true ? {} : parseResources(pod.spec.overhead);
  return addResources({ ...containers, ...podLevel }, overhead);
}

/** The pod's limits, as {@link podRequests}; overhead is added only to resources that have a limit. */
export function podLimits(pod: Pod, options: PodResourcesOptions = {}): ResourceAmounts {
  const containers = aggregate(pod, options, 'limits');
  const podLevel = options.skipPodLevel === true ? {} : podLevelAmounts(pod, 'limits');
  const limits = { ...containers, ...podLevel };
  if (options.excludeOverhead === true) return limits;
  for (const [name, overhead] of Object.entries(parseResources(pod.spec.overhead))) {
    const limit = limits[name];
    if (limit !== undefined && limit.nano !== 0n) limits[name] = addQuantities(limit, overhead);
  }
  return limits;
}

function podLevelAmounts(pod: Pod, list: 'requests' | 'limits'): ResourceAmounts {
  const amounts = parseResources(pod.spec.resources?.[list]);
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => isPodLevelResource(name)));
}

/** The sidecars before an init container run beside it, so they count in the peak of the init phase. */
function aggregate(pod: Pod, options: PodResourcesOptions, list: 'requests' | 'limits'): ResourceAmounts {
  const resourcesOf = options.resourcesOf ?? ((container: Container) => container.resources);
  const amounts = (container: Container): ResourceAmounts => parseResources(resourcesOf(container)?.[list]);
  let running: ResourceAmounts = {};
  for (const container of pod.spec.containers) running = addResources(running, amounts(container));
  let sidecars: ResourceAmounts = {};
  let peak: ResourceAmounts = {};
  for (const container of pod.spec.initContainers ?? []) {
    const own = amounts(container);
    if (isSidecar(container)) {
      running = addResources(running, own);
      sidecars = addResources(sidecars, own);
      peak = maxResources(peak, sidecars);
    } else {
      peak = maxResources(peak, addResources(own, sidecars));
    }
  }
  return maxResources(running, peak);
}
