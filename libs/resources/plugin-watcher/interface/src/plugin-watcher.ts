import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** One plugin as its handler sees it. */
export interface RegisteredPlugin {
  readonly name: string;
  /** Socket on which the plugin serves; the registration socket itself when the plugin names none. */
  readonly endpoint: string;
  /** As the plugin says, in its order. */
  readonly versions: readonly string[];
}

/**
 * Takes plugins of one type. For one socket the calls come one after another: validate, register, deregister.
 * Source: kubernetes v1.36 pkg/kubelet/pluginmanager/cache/types.go PluginHandler.
 */
export interface PluginHandler {
  /** Rejects when it cannot be taken; the plugin is told the message. `signal`: the watcher stops. */
  validate(plugin: RegisteredPlugin, signal: AbortSignal): Promise<void>;
  /** As `validate`. A plugin that is gone by now is deregistered afterwards. */
  register(plugin: RegisteredPlugin, signal: AbortSignal): Promise<void>;
  /** The socket is gone or was made anew, or the plugin could not be told of its registration. A rejection is logged. */
  deregister(plugin: RegisteredPlugin, signal: AbortSignal): Promise<void>;
}

/**
 * Finds plugins by their sockets in `<root>/plugins_registry` and in folders below it, asks them what they are, and brings them
 * to the handler of their type. What fails is tried again with growing pauses as long as the socket is there. Names that start
 * with a dot are passed over. Source: kubernetes v1.36 pkg/kubelet/pluginmanager.
 */
export interface PluginWatcher extends Lifecycle, HealthReporter {
  /**
   * One handler per type (`CSIPlugin`, `DRAPlugin`, `DevicePlugin`); a second one takes the place of the first. Returns remove. A plugin
   * of a type without a handler is told so, and tried again.
   */
  addHandler(type: string, handler: PluginHandler): () => void;
}

export const PLUGIN_WATCHER = createToken<PluginWatcher>('kubelet.plugin-watcher/v1');
