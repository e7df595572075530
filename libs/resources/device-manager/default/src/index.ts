export type { ListedDevice } from './devices/device-inventory.js';
export { DEVICE_PLUGIN_CONNECTOR } from './plugins/device-plugin-client.js';
export type { ConnectDevicePlugin, DevicePluginClient } from './plugins/device-plugin-client.js';
export { deviceManagerNeeds, PluginDeviceManager } from './plugin-device-manager.js';
export type { DeviceManagerNeeds } from './plugin-device-manager.js';
export { pluginDeviceManagerConfigSchema } from './plugin-device-manager-config.js';
export type { PluginDeviceManagerConfig } from './plugin-device-manager-config.js';
export { createPluginDeviceManager, deviceManagerModule } from './plugin-device-manager.module.js';
