import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** What a plugin tells of itself by pluginregistration.Registration/GetInfo. */
export interface PluginInfo {
  readonly name: string;
  /** Socket on which the plugin serves; the registration socket itself when the plugin names none. */
  readonly endpoint: string;
  readonly versions: readonly string[];
}

/** Takes plugins of one type. Source: kubernetes v1.36 pkg/kubelet/pluginmanager/cache/types.go PluginHandler. */
export interface PluginHandler {
  /** Rejects, with the text that the plugin gets, when it cannot be taken. */
  validate(plugin: PluginInfo): Promise<void>;
  register(plugin: PluginInfo): Promise<void>;
  deregister(plugin: PluginInfo): Promise<void>;
}

/** Finds plugins by their sockets in `<root>/plugins_registry`. Source: kubernetes v1.36 pkg/kubelet/pluginmanager. */
export interface PluginWatcher extends Lifecycle, HealthReporter {
  /** One handler per type: `CSIPlugin`, `DRAPlugin`, `DevicePlugin`. Returns remove. Before `start()` for plugins that are there already. */
  addHandler(type: string, handler: PluginHandler): () => void;
}

export const PLUGIN_WATCHER = createToken<PluginWatcher>('kubelet.plugin-watcher/v1');
