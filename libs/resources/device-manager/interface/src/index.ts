export { ALLOCATED_RESOURCE_HEALTH, DEVICE_MANAGER } from './device-manager.js';
export type { AllocatedDevices, AllocatedResourceHealth, DeviceManager, DeviceRunOptions } from './device-manager.js';
