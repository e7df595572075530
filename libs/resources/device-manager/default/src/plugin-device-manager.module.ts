import { PLUGIN_RESOURCES } from '@podwright/admission-interface';
import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { ALLOCATED_RESOURCE_HEALTH, DEVICE_MANAGER } from '@podwright/device-manager-interface';
import { DEVICE_RESOURCES } from '@podwright/node-status-interface';
import { PLUGIN_WATCHER } from '@podwright/plugin-watcher-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import { MACHINE_TOPOLOGY, TOPOLOGY_MANAGER } from '@podwright/topology-manager-interface';
import { DEVICE_PLUGIN_CONNECTOR } from './device-plugin-client.js';
import { PluginDeviceManager } from './plugin-device-manager.js';
import { pluginDeviceManagerConfigSchema } from './plugin-device-manager-config.js';

export const deviceManagerModule = defineModule({
  name: '@podwright/device-manager',
  provides: [DEVICE_MANAGER, DEVICE_RESOURCES, ALLOCATED_RESOURCE_HEALTH],
  requires: [ACTIVE_PODS, POD_CONFIG, RUNTIME_SERVICE, CLOCK, METRICS, LOGGER],
  optional: [PLUGIN_WATCHER, PLUGIN_RESOURCES, TOPOLOGY_MANAGER, MACHINE_TOPOLOGY, DEVICE_PLUGIN_CONNECTOR],
  config: pluginDeviceManagerConfigSchema,
  register: (container) => {
    container.registerSingleton(PluginDeviceManager);
    container.register(DEVICE_MANAGER, { useToken: PluginDeviceManager }); // alias: all names give one instance
    container.register(DEVICE_RESOURCES, { useToken: PluginDeviceManager });
    container.register(ALLOCATED_RESOURCE_HEALTH, { useToken: PluginDeviceManager });
  },
});
