import type { AllocatedResourceHealth } from '@podwright/device-manager-interface';
import type { PodStatus } from '@podwright/kube-types';

/**
 * Adds the health of devices that ordinary containers hold to the status.
 * Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go UpdateAllocatedResourcesStatus.
 */
export function withResourceHealth(
  status: PodStatus,
  podUid: string,
  health: Pick<AllocatedResourceHealth, 'of'>,
): PodStatus {
  let changed = false;
  const containerStatuses = (status.containerStatuses ?? []).map((container) => {
    const allocated = health.of(podUid, container.name);
    if (allocated.length === 0) return container;
    changed = true;
    const allocatedResourcesStatus = allocated.map(({ name, resources }) => ({
      name,
      resources: resources.map(({ resourceId, health: state }) => ({ resourceID: resourceId, health: state })),
    }));
    return { ...container, allocatedResourcesStatus };
  });
  return changed ? { ...status, containerStatuses } : status;
}
