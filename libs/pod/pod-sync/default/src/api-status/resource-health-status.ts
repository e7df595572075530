import type { AllocatedResourceHealth } from '@podwright/device-manager-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';

/**
 * Adds the health of devices that ordinary containers hold to the status.
 * Source: kubernetes v1.36 pkg/kubelet/cm/container_manager_linux.go UpdateAllocatedResourcesStatus.
 */
export function withResourceHealth(
  status: PodStatus,
  pod: Pod,
  sources: readonly Pick<AllocatedResourceHealth, 'of'>[],
): PodStatus {
  let changed = false;
  const containerStatuses = (status.containerStatuses ?? []).map((container) => {
    const allocated = sources.flatMap((health) => health.of(pod, container.name));
    if (allocated.length === 0) return container;
    changed = true;
    const allocatedResourcesStatus = allocated.map(({ name, resources }) => ({
      name,
      resources: resources.map(({ resourceId, ...health }) => ({ resourceID: resourceId, ...health })),
    }));
    return { ...container, allocatedResourcesStatus };
  });
  return changed ? { ...status, containerStatuses } : status;
}
