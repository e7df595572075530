import {
  formatResources,
  isExtendedResource,
  parseResources,
  type NodeStatus,
  type ResourceList,
} from '@podwright/kube-types';
import type { DeviceResources } from '@podwright/node-status-interface';
import type { MachineFacts } from '@podwright/machine';
import { nodeAllocatable, nodeReservation, type ReservationOptions } from '../node-allocatable.js';
import { nodeCapacity, type CapacityOptions } from '../node-capacity.js';

/**
 * Sets capacity, allocatable and identity of the machine. Keeps other resources in the capacity, so that administrators
 * can advertise resources. Source: kubernetes v1.36 pkg/kubelet/nodestatus/setters.go MachineInfo.
 */
export function withMachineInfo(
  status: NodeStatus,
  machine: MachineFacts,
  options: CapacityOptions & ReservationOptions,
  devices?: ReturnType<DeviceResources['resources']>,
): NodeStatus {
  const removed = Object.fromEntries((devices?.removed ?? []).map((name) => [name, '0']));
  const capacity: ResourceList = {
    ...status.capacity,
    ...formatResources(nodeCapacity(machine, options)),
    ...devices?.capacity,
    ...removed,
  };
  const amounts = parseResources(capacity);
  const kept = Object.entries(status.allocatable ?? {}).filter(
    ([name]) => capacity[name] !== undefined || !isExtendedResource(name),
  );
  const allocatable: ResourceList = {
    ...Object.fromEntries(kept),
    ...formatResources(nodeAllocatable(amounts, nodeReservation(amounts, options))),
    ...devices?.allocatable,
  };
  return {
    ...status,
    capacity,
    allocatable,
    nodeInfo: {
      ...emptyNodeInfo,
      ...status.nodeInfo,
      machineID: machine.machineId,
      systemUUID: machine.systemUuid,
      bootID: machine.bootId,
      ...(machine.swapBytes > 0 && { swap: { capacity: machine.swapBytes } }),
    },
  };
}

/** Required fields of the API's nodeInfo while nothing is known. */
export const emptyNodeInfo = {
  machineID: '',
  systemUUID: '',
  bootID: '',
  kernelVersion: '',
  osImage: '',
  containerRuntimeVersion: '',
  kubeletVersion: '',
  kubeProxyVersion: '',
  operatingSystem: '',
  architecture: '',
} as const;
