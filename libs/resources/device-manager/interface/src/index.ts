export type {
  AllocateRequest,
  AllocateResponse,
  CDIDevice,
  ContainerAllocateRequest,
  ContainerAllocateResponse,
  ContainerPreferredAllocationRequest,
  ContainerPreferredAllocationResponse,
  Device,
  DevicePluginOptions,
  DeviceSpec,
  Empty,
  ListAndWatchResponse,
  Mount,
  NUMANode,
  PreferredAllocationRequest,
  PreferredAllocationResponse,
  PreStartContainerRequest,
  PreStartContainerResponse,
  RegisterRequest,
  TopologyInfo,
} from './generated/deviceplugin.js';
export { ALLOCATED_RESOURCE_HEALTH, DEVICE_MANAGER } from './device-manager.js';
export type { AllocatedDevices, AllocatedResourceHealth, DeviceManager, DeviceRunOptions } from './device-manager.js';
