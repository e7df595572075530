import type { AllocatedDevices } from '@podwright/device-manager-interface';
import { nodeWithoutTopology, type DeviceAllocation } from './device-allocations.js';
import type { DeviceInventory } from '../devices/device-inventory.js';

/**
 * One entry per device and NUMA node. Source: kubernetes v1.36 pkg/kubelet/cm/container_manager.go
 * containerDevicesFromResourceDeviceInstances.
 */
export function containerDevices(resources: ReadonlyMap<string, DeviceAllocation>): readonly AllocatedDevices[] {
  return [...resources].flatMap(([resourceName, { idsByNode }]) =>
    [...idsByNode].flatMap(([node, ids]) =>
      ids.map((id) => ({
        resourceName,
        deviceIds: [id],
        ...(node !== nodeWithoutTopology && { numaNodes: [node] }),
      })),
    ),
  );
}

/** The healthy devices of all plugins, in the same form. */
export function healthyDevices(inventory: DeviceInventory): readonly AllocatedDevices[] {
  return inventory.names().flatMap((resourceName) =>
    [...inventory.healthy(resourceName)].flatMap((id): readonly AllocatedDevices[] => {
      const nodes = inventory.device(resourceName, id)?.numaNodes ?? [];
      if (nodes.length === 0) return [{ resourceName, deviceIds: [id] }];
      return nodes.map((node) => ({ resourceName, deviceIds: [id], numaNodes: [node] }));
    }),
  );
}
