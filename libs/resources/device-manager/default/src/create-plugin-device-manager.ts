import type { PluginResources } from '@podwright/admission-interface';
import { decodeOptions } from '@podwright/assembly-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { PluginWatcher } from '@podwright/plugin-watcher-interface';
import type { PodConfig } from '@podwright/pod-config-interface';
import type { ActivePods } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import type { MachineTopologySource, TopologyManager } from '@podwright/topology-manager-interface';
import type { ConnectDevicePlugin } from './device-plugin-client.js';
import { PluginDeviceManager } from './plugin-device-manager.js';
import { pluginDeviceManagerConfigSchema, type PluginDeviceManagerConfig } from './plugin-device-manager-config.js';

export interface PluginDeviceManagerDeps {
  readonly activePods: ActivePods;
  readonly podConfig: Pick<PodConfig, 'allSourcesReady'>;
  readonly runtime: Pick<RuntimeService, 'listPodSandbox' | 'listContainers'>;
  readonly clock: Clock;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
  readonly watcher?: PluginWatcher;
  readonly pluginResources?: PluginResources;
  readonly topology?: Pick<TopologyManager, 'affinityOf'>;
  readonly machine?: MachineTopologySource;
  /** How plugins are reached. Default: gRPC on their unix sockets. */
  readonly connect?: ConnectDevicePlugin;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createPluginDeviceManager(
  deps: PluginDeviceManagerDeps,
  options: Partial<PluginDeviceManagerConfig> = {},
): PluginDeviceManager {
  const config = decodeOptions('device-manager', pluginDeviceManagerConfigSchema, options);
  return new PluginDeviceManager(
    deps.activePods,
    deps.podConfig,
    deps.runtime,
    deps.clock,
    deps.metrics,
    deps.logger,
    config,
    deps.watcher,
    deps.pluginResources,
    deps.topology,
    deps.machine,
    deps.connect,
  );
}
