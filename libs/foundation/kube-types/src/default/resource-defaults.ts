import type { Pod, PodSpec, ResourceRequirements } from '../objects.js';
import { isPodLevelResource, podLimits, podRequests } from '../pod/pod-resources.js';
import type { ResourceList } from '../pod/resource-amounts.js';
import { formatResources } from '../pod/resource-amounts.js';
import { formatQuantity } from '../quantity/format-quantity.js';
import { tryParseQuantity } from '../quantity/quantity.js';
import { roundUpToMilli } from '../quantity/quantity-values.js';

/** Each entry rounded up to thousandths and in canonical form; text that is no quantity is left for validation. */
export function roundResources(list: ResourceList): ResourceList {
  return Object.fromEntries(
    Object.entries(list).map(([name, text]) => {
      const quantity = tryParseQuantity(text);
      return [name, quantity === undefined ? text : formatQuantity(roundUpToMilli(quantity))];
    }),
  );
}

export function roundRequirements(resources: ResourceRequirements): ResourceRequirements {
  const { limits, requests } = resources;
  return {
    ...resources,
    ...(limits && { limits: roundResources(limits) }),
    ...(requests && { requests: roundResources(requests) }),
  };
}

/** A limit without a request is a request too. */
export function requestsFromLimits(resources: ResourceRequirements = {}): ResourceRequirements {
  const rounded = roundRequirements(resources);
  if (rounded.limits === undefined || Object.keys(rounded.limits).length === 0) return rounded;
  return { ...rounded, requests: { ...rounded.limits, ...rounded.requests } };
}

/**
 * Pod-level resources that are partly given are completed: hugepage limits from the containers, then requests from the
 * containers, then requests from the pod-level limits.
 */
export function defaultPodLevelResources(spec: PodSpec): PodSpec {
  if (spec.resources === undefined) return spec;
  const given = roundRequirements(spec.resources);
  const isEmpty = Object.keys({ ...given.limits, ...given.requests }).length === 0;
  if (isEmpty || !hasValidQuantities(spec)) return { ...spec, resources: given };
  const pod = { metadata: {}, spec } as Pod;
  const sum = { excludeOverhead: true, skipPodLevel: true } as const;
  const containerLimits = formatResources(podLimits(pod, sum));
  const limits: Record<string, string> = { ...given.limits };
  for (const [name, limit] of Object.entries(containerLimits)) {
    if (isHugePages(name) && given.requests?.[name] === undefined) limits[name] ??= limit;
  }
  const hasLimits = Object.keys(limits).length > 0;
  const requests: Record<string, string> = { ...given.requests };
  if (hasLimits) {
    for (const [name, request] of Object.entries(formatResources(podRequests(pod, sum)))) {
      if (isPodLevelResource(name) && !isHugePages(name)) requests[name] ??= request;
    }
    for (const [name, limit] of Object.entries(limits)) {
      if (isPodLevelResource(name)) requests[name] ??= limit;
    }
  }
  return {
    ...spec,
    resources: {
      ...given,
      ...(hasLimits && { limits }),
      ...(Object.keys(requests).length > 0 && { requests }),
    },
  };
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

function hasValidQuantities(spec: PodSpec): boolean {
  return [...spec.containers, ...(spec.initContainers ?? [])].every(({ resources }) =>
    [resources?.limits, resources?.requests].every((list) =>
      Object.values(list ?? {}).every((text) => tryParseQuantity(text) !== undefined),
    ),
  );
}
