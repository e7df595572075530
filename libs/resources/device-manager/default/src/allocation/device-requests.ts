import { parseResources, podLimits, quantityValue, type Container, type Pod } from '@podwright/kube-types';

/** Whole numbers by resource name, from the limits; for extended resources requests equal limits. */
export function deviceRequests(container: Container): readonly (readonly [resource: string, count: number])[] {
  return counts(parseResources(container.resources?.limits));
}

/** The devices of the pod as a whole, without its overhead. */
export function podDeviceRequests(pod: Pod): readonly (readonly [resource: string, count: number])[] {
  return counts(podLimits(pod, { excludeOverhead: true }));
}

function counts(amounts: ReturnType<typeof parseResources>): readonly (readonly [string, number])[] {
  return Object.entries(amounts).map(([name, quantity]) => [name, Number(quantityValue(quantity))]);
}

/** Whether a ResourceClaim serves the resource. */
export function isServedByClaim(pod: Pod, container: string, resource: string): boolean {
  return (pod.status?.extendedResourceClaimStatus?.requestMappings ?? []).some(
    ({ containerName, resourceName }) => containerName === container && resourceName === resource,
  );
}
