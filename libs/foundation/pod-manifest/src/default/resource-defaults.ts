/**
 * Rounds each entry to thousandths, away from zero, in canonical form. Text that is no quantity stays for validation.
 */
import {
  isHugePageResource,
  type Pod,
  type PodSpec,
  type ResourceList,
  type ResourceRequirements,
} from '@podwright/kube-types';
import {
  formatQuantity,
  formatResources,
  isPodLevelResource,
  podLimits,
  podRequests,
  roundUpToMilli,
  tryParseQuantity,
} from '@podwright/kube-types';
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

/** Rounds the resources and sets each missing request to its limit. */
export function requestsFromLimits(resources: ResourceRequirements = {}): ResourceRequirements {
  const rounded = roundRequirements(resources);
  if (rounded.limits === undefined || Object.keys(rounded.limits).length === 0) return rounded;
  return { ...rounded, requests: { ...rounded.limits, ...rounded.requests } };
}

/**
 * Completes pod-level resources: missing hugepage limits come from the containers, missing requests from the containers
 * and then from the pod-level limits. Does nothing when the pod has no pod-level resources. Without `completes` it only
 * rounds.
 */
export function defaultPodLevelResources(spec: PodSpec, completes: boolean): PodSpec {
  if (spec.resources === undefined) return spec;
  const given = roundRequirements(spec.resources);
  const isEmpty = Object.keys({ ...given.limits, ...given.requests }).length === 0;
  if (!completes || isEmpty || !hasValidQuantities(spec)) return { ...spec, resources: given };
  const pod = { metadata: {}, spec } as Pod;
  const sum = { excludeOverhead: true, skipPodLevel: true } as const;
  const containerLimits = formatResources(podLimits(pod, sum));
  const limits: Record<string, string> = { ...given.limits };
  for (const [name, limit] of Object.entries(containerLimits)) {
    if (isHugePageResource(name) && given.requests?.[name] === undefined) limits[name] ??= limit;
  }
  const hasLimits = Object.keys(limits).length > 0;
  const requests: Record<string, string> = { ...given.requests };
  if (hasLimits) {
    for (const [name, request] of Object.entries(formatResources(podRequests(pod, sum)))) {
      if (isPodLevelResource(name) && !isHugePageResource(name)) requests[name] ??= request;
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

function hasValidQuantities(spec: PodSpec): boolean {
  return [...spec.containers, ...(spec.initContainers ?? [])].every(({ resources }) =>
    [resources?.limits, resources?.requests].every((list) =>
      Object.values(list ?? {}).every((text) => tryParseQuantity(text) !== undefined),
    ),
  );
}
