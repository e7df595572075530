import { isSidecar, type Container, type Pod } from '@podwright/kube-types';
import type {
  AllocatableResourcesResponse,
  ContainerAssignments,
  ContainerDevices,
  ContainerMemory,
  ContainerResources,
  DeviceAssignment,
  DynamicResource,
  MemoryAssignment,
  PodResources,
  ResourceAssignments,
  TopologyInfo,
} from '@podwright/pod-resources-interface';

const nothing: ContainerAssignments = { devices: [], cpuIds: [], memory: [], claims: [] };

/** Assignments of a kubelet that allocates no exclusive resources. */
export const noAssignments: ResourceAssignments = {
  of: () => nothing,
  allocatable: () => nothing,
  releaseInactive: () => undefined,
};

/** Lists sidecars, then ordinary containers; ordinary init containers hold resources only briefly. */
export function podResources(pod: Pod, assignments: ResourceAssignments): PodResources {
  const containers = [...(pod.spec?.initContainers ?? []).filter(isSidecar), ...(pod.spec?.containers ?? [])];
  return { ...nameOf(pod), containers: containers.map((container) => containerResources(pod, container, assignments)) };
}

/** The answer of version v1alpha1: ordinary containers and their devices. */
export function alphaPodResources(pod: Pod, assignments: ResourceAssignments): PodResources {
  const containers = (pod.spec?.containers ?? []).map((container) => ({
    name: container.name,
    devices: assignments
      .of(pod, container)
      .devices.map(({ resourceName, deviceIds }) => devices({ resourceName, deviceIds })),
    cpuIds: [],
    memory: [],
    dynamicResources: [],
  }));
  return { ...nameOf(pod), containers };
}

export function allocatableResources(assignments: ResourceAssignments): AllocatableResourcesResponse {
  const allocatable = assignments.allocatable();
  return {
    devices: allocatable.devices.map(devices),
    cpuIds: allocatable.cpuIds.map(BigInt),
    memory: allocatable.memory.map(memory),
  };
}

const nameOf = ({ metadata }: Pod): { readonly name: string; readonly namespace: string } => ({
  name: metadata?.name ?? '',
  namespace: metadata?.namespace ?? '',
});

function containerResources(pod: Pod, container: Container, assignments: ResourceAssignments): ContainerResources {
  const own = assignments.of(pod, container);
  return {
    name: container.name,
    devices: own.devices.map(devices),
    cpuIds: own.cpuIds.map(BigInt),
    memory: own.memory.map(memory),
    dynamicResources: own.claims.map(({ claimName, claimNamespace, devices: claimed }): DynamicResource => ({
      claimName,
      claimNamespace,
      claimResources: claimed.map(({ cdiDevices, ...device }) => ({
        ...device,
        cdiDevices: cdiDevices.map((cdiName) => ({ name: cdiName })),
      })),
    })),
  };
}

const devices = ({ resourceName, deviceIds, numaNodes }: DeviceAssignment): ContainerDevices => ({
  resourceName,
  deviceIds: [...deviceIds],
  topology: numaNodes === undefined ? undefined : topology(numaNodes),
});

const memory = ({ memoryType, bytes, numaNodes }: MemoryAssignment): ContainerMemory => ({
  memoryType,
  size: BigInt(bytes),
  topology: topology(numaNodes),
});

const topology = (numaNodes: readonly number[]): TopologyInfo => ({
  nodes: numaNodes.map((node) => ({ ID: BigInt(node) })),
});
