import { HEALTH_CHECKS } from '@podwright/server-interface';
import { PLUGIN_RESOURCE_ADJUSTMENTS } from '@podwright/admission-interface';
import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { ALLOCATED_RESOURCE_HEALTH, DEVICE_MANAGER, type DeviceManager } from '@podwright/device-manager-interface';
import { DEVICE_RESOURCES } from '@podwright/node-status-interface';
import { deviceManagerNeeds, PluginDeviceManager, type DeviceManagerNeeds } from './plugin-device-manager.js';
import { pluginDeviceManagerConfigSchema, type PluginDeviceManagerConfig } from './plugin-device-manager-config.js';

export const deviceManagerModule = defineModule({
  name: '@podwright/device-manager',
  provides: [DEVICE_MANAGER, DEVICE_RESOURCES],
  needs: deviceManagerNeeds,
  config: pluginDeviceManagerConfigSchema,
  create: (deps: DeviceManagerNeeds, config: PluginDeviceManagerConfig) => new PluginDeviceManager(deps, config),
  contributes: [
    contribution(HEALTH_CHECKS, (devices: DeviceManager) => [
      { name: 'device-plugin', check: () => devices.healthy() },
    ]),
    contribution(ALLOCATED_RESOURCE_HEALTH, (devices: PluginDeviceManager) => [devices]),
    contribution(PLUGIN_RESOURCE_ADJUSTMENTS, (devices: PluginDeviceManager) => [devices.adjustResources]),
  ],
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createPluginDeviceManager = factoryOf(deviceManagerModule);
