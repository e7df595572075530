import { podRequests, quantityToMilli, quantityValue, type Pod } from '@podwright/kube-types';
import type { InsufficientResource } from '@podwright/preemption-interface';

/** What is still missing; all amounts are above zero. */
export type Requirements = readonly InsufficientResource[];

/**
 * What the eviction of the pod would free, in the unit of {@link InsufficientResource.missing}. Every pod frees one pod
 * slot.
 */
export function podRequest(pod: Pod, resource: string): bigint {
  if (resource === 'pods') return 1n;
  const amount = podRequests(pod)[resource];
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
