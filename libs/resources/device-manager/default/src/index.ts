import 'reflect-metadata'; // tsyringe refuses to load without it
export type { ListedDevice } from './device-inventory.js';
export { DEVICE_PLUGIN_CONNECTOR } from './device-plugin-client.js';
export type { ConnectDevicePlugin, DevicePluginClient } from './device-plugin-client.js';
export { createPluginDeviceManager } from './create-plugin-device-manager.js';
export type { PluginDeviceManagerDeps } from './create-plugin-device-manager.js';
export { PluginDeviceManager } from './plugin-device-manager.js';
export { PLUGIN_DEVICE_MANAGER_CONFIG, pluginDeviceManagerConfigSchema } from './plugin-device-manager-config.js';
export type { PluginDeviceManagerConfig } from './plugin-device-manager-config.js';
export { deviceManagerModule } from './plugin-device-manager.module.js';
