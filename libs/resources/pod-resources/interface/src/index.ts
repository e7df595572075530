export { POD_RESOURCES_SERVER, RESOURCE_ASSIGNMENTS } from './pod-resources.js';
export type {
  ContainerDevices,
  ContainerMemory,
  ExclusiveResources,
  PodResourcesServer,
  ResourceAssignments,
} from './pod-resources.js';
