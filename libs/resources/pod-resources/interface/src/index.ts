export type {
  AllocatableResourcesRequest,
  AllocatableResourcesResponse,
  CDIDevice,
  ClaimResource,
  ContainerDevices,
  ContainerMemory,
  ContainerResources,
  DynamicResource,
  GetPodResourcesRequest,
  GetPodResourcesResponse,
  ListPodResourcesRequest,
  ListPodResourcesResponse,
  NUMANode,
  PodResources,
  TopologyInfo,
} from './generated/podresources.js';
export { POD_RESOURCES_SERVER, RESOURCE_ASSIGNMENTS } from './pod-resources.js';
export type {
  ClaimAssignment,
  ClaimedDevice,
  ContainerAssignments,
  DeviceAssignment,
  MemoryAssignment,
  PodResourcesServer,
  ResourceAssignments,
} from './pod-resources.js';
