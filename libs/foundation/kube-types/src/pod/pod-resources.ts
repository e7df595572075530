import { isHugePageResource } from '../names/resource-names.js';
import type { Container, Pod, ResourceRequirements } from '../objects.js';
import { isSidecar } from './restart-policy.js';
import type { ResourceAmounts } from './resource-amounts.js';
import { addResources, maxResources, parseResources } from './resource-amounts.js';
import { effectivePodLevelRequests, effectiveResources } from './status-resources.js';
import { parseQuantity } from '../quantity/quantity.js';
import { addQuantities } from '../quantity/quantity-values.js';

const zeroQuantity = parseQuantity('0');

export interface PodResourcesOptions {
  /** Leave `spec.overhead` out. Default false. */
  readonly excludeOverhead?: boolean;
  /** Ignore pod-level `spec.resources` and add up the containers. Default false. */
  readonly skipPodLevel?: boolean;
  /**
   * Returns the resources to count for a container, such as the allocated ones during a resize. Default: its spec's.
   */
  readonly resourcesOf?: (container: Container) => ResourceRequirements | undefined;
  /** During a resize, count what a container still has or was granted if that is more than it asks for. Default false. */
  readonly useStatus?: boolean;
  /** With `useStatus`, the same for pod-level requests. Gate InPlacePodLevelResourcesVerticalScaling. Default false. */
  readonly podLevelStatus?: boolean;
  /** Add what claims take of the node's CPU, memory and so on. Gate DRANodeAllocatableResources. Default false. */
  readonly nodeAllocatableClaims?: boolean;
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
  const { useStatus = false, podLevelStatus = false, nodeAllocatableClaims = false } = options;
  let containers = aggregate(
    pod,
    useStatus ? { resourcesOf: effectiveResources(pod), ...options } : options,
    'requests',
  );
  const claims = nodeAllocatableClaims ? (pod.status?.nodeAllocatableResourceClaimStatuses ?? []) : [];
  for (const { resources } of claims) containers = addResources(containers, parseResources(resources));
  const podLevel = options.skipPodLevel === true ? {} : podLevelAmounts(pod, 'requests');
  const effective = useStatus && podLevelStatus ? effectivePodLevelRequests(pod) : undefined;
  const overhead = options.excludeOverhead === true ? {} : parseResources(pod.spec.overhead);
  return addResources(
    { ...containers, ...podLevel, ...(effective && only(effective, Object.keys(podLevel))) },
    overhead,
  );
}

function only(amounts: ResourceAmounts, names: readonly string[]): ResourceAmounts {
  return Object.fromEntries(names.map((name) => [name, amounts[name] ?? zeroQuantity]));
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
