import type { ResourceList } from '@podwright/kube-types';
import type { DeviceResources } from '@podwright/node-status-interface';
import type { DeviceAllocations } from '../allocation/device-allocations.js';
import type { DeviceInventory } from './device-inventory.js';
import type { PluginEndpoints } from '../plugins/plugin-endpoints.js';

export interface NodeDevicesInput {
  readonly inventory: DeviceInventory;
  readonly endpoints: Pick<PluginEndpoints, 'get' | 'forget'>;
  /** Monotonic, milliseconds. */
  readonly nowMs: number;
  readonly stopGraceMs: number;
}

/**
 * Capacity and allocatable devices of the node. A resource whose plugin has been gone for longer than the grace period
 * is forgotten and reported as removed once. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go
 * GetCapacity.
 */
export function nodeDevices(input: NodeDevicesInput): ReturnType<DeviceResources['resources']> {
  const { inventory, endpoints, nowMs, stopGraceMs } = input;
  const capacity: Record<string, string> = {};
  const allocatable: Record<string, string> = {};
  const removed: string[] = [];
  for (const resource of inventory.registered()) {
    const endpoint = endpoints.get(resource);
    if (endpoint === undefined || nowMs - (endpoint.stoppedAtMs ?? nowMs) > stopGraceMs) {
      inventory.forget(resource);
      endpoints.forget(resource);
      removed.push(resource);
      continue;
    }
    const healthy = inventory.healthy(resource).size;
    capacity[resource] = String(healthy + inventory.unhealthyCount(resource));
    allocatable[resource] = String(healthy);
  }
  return { capacity, allocatable, removed };
}

/**
 * Raises allocatable to the devices already allocated, so that a pod still fits while its plugin is away.
 * Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go sanitizeNodeAllocatable.
 */
export function withHeldDevices(allocatable: ResourceList, allocations: DeviceAllocations): ResourceList {
  const raised: Record<string, string> = {};
  for (const resource of allocations.resources()) {
    const held = allocations.held(resource).size;
    if (Number(allocatable[resource] ?? 0) < held) raised[resource] = String(held);
  }
  return { ...allocatable, ...raised };
}
