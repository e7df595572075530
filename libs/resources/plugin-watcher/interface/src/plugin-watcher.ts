import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** One plugin, as its handler gets it. */
export interface RegisteredPlugin {
  readonly name: string;
  /** Socket on which the plugin serves; the registration socket itself when the plugin names none. */
  readonly endpoint: string;
  /** The versions that the plugin supports, in its order. */
  readonly versions: readonly string[];
}

/**
 * Handles plugins of one type. For one socket the calls come one after another: validate, register, deregister.
 * Source: kubernetes v1.36 pkg/kubelet/pluginmanager/cache/types.go PluginHandler.
 */
export interface PluginHandler {
  /**
   * Rejects when it does not accept the plugin, which then gets the message. `signal` aborts when the watcher stops.
   */
  validate(plugin: RegisteredPlugin, signal: AbortSignal): Promise<void>;
  /** Rejects like `validate`. When the plugin has disappeared meanwhile, the watcher calls `deregister` afterwards. */
  register(plugin: RegisteredPlugin, signal: AbortSignal): Promise<void>;
  /**
   * Called when the socket has disappeared or been replaced, or when the plugin failed to take the notification that it
   * is registered. The watcher logs a rejection.
   */
  deregister(plugin: RegisteredPlugin, signal: AbortSignal): Promise<void>;
}

/**
 * Finds plugins by their sockets in `<root>/plugins_registry` and the folders below it, asks each for its type, and
 * passes it to the handler of that type. It retries failures with growing pauses as long as the socket exists, and
 * ignores names that start with a dot. Source: kubernetes v1.36 pkg/kubelet/pluginmanager.
 */
export interface PluginWatcher extends Lifecycle, HealthReporter {
  /**
   * Sets the handler of a type (`CSIPlugin`, `DRAPlugin`, `DevicePlugin`); a second one replaces the first. Returns a
   * function that removes it. The watcher notifies a plugin of a type without a handler that its registration failed,
   * and retries.
   */
  addHandler(type: string, handler: PluginHandler): () => void;
}

export const PLUGIN_WATCHER = createToken<PluginWatcher>('kubelet.plugin-watcher/v1');
