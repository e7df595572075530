import {
  addQuantities,
  hasPodLevelResources,
  parseResources,
  podRequests,
  quantityToMilli,
  quantityValue,
  type Pod,
} from '@podwright/kube-types';
import type { InsufficientResource } from '@podwright/preemption-interface';

/** What is still missing; all amounts are above zero. */
export type Requirements = readonly InsufficientResource[];

/**
 * What the eviction of the pod would free, in the unit of {@link InsufficientResource.missing}. Every pod frees one pod
 * slot. The overhead counts beside a request only, and the containers of a pod with resources of its own do not. Source:
 * kubernetes v1.36 pkg/api/v1/resource/helpers.go GetResourceRequest.
 */
export function podRequest(pod: Pod, resource: string): bigint {
  if (resource === 'pods') return 1n;
  const options = hasPodLevelResources(pod) ? { resourcesOf: () => undefined } : {};
  const request = podRequests(pod, { ...options, excludeOverhead: true })[resource];
  if (request === undefined || request.nano === 0n) return 0n;
  const overhead = parseResources(pod.spec.overhead)[resource];
  const amount = overhead === undefined ? request : addQuantities(request, overhead);
  return resource === 'cpu' ? BigInt(quantityToMilli(amount)) : quantityValue(amount);
}

/** What would still be missing without these pods. */
export function subtract(requirements: Requirements, pods: readonly Pod[]): Requirements {
  return requirements.flatMap(({ resource, missing }) => {
    let left = missing;
    for (const pod of pods) {
      if (left <= 0n) break;
      left -= podRequest(pod, resource);
    }
    return left > 0n ? [{ resource, missing: left }] : [];
  });
}

/** Sum over the resources of the squared fraction that the pod would leave uncovered: 0 when it covers everything. */
export function distance(requirements: Requirements, pod: Pod): number {
  return requirements.reduce((sum, { resource, missing }) => {
    const left = missing - podRequest(pod, resource);
    return left > 0n ? sum + (Number(left) / Number(missing)) ** 2 : sum;
  }, 0);
}

/** Formats as upstream: `[(res: cpu, q: 500), ]`. */
export function formatRequirements(requirements: Requirements): string {
  return `[${requirements.map(({ resource, missing }) => `(res: ${resource}, q: ${missing}), `).join('')}]`;
}
