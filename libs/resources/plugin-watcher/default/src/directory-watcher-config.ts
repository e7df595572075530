import { createToken, defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface DirectoryPluginWatcherConfig {
  /** Folder of the registration sockets. */
  readonly directory: string;
  /** A socket is looked into at most this often. */
  readonly reconcilePeriodMs: number;
  readonly dialTimeoutMs: number;
  readonly getInfoTimeoutMs: number;
  readonly notifyTimeoutMs: number;
  /** After the start, a type without a handler may still get one: its plugins are not told otherwise before. */
  readonly handlerGraceMs: number;
  /** Sockets beyond are passed over. */
  readonly maxPlugins: number;
}

export const DIRECTORY_PLUGIN_WATCHER_CONFIG = createToken<DirectoryPluginWatcherConfig>(
  'kubelet.plugin-watcher.config/v1',
);

// Source: kubernetes v1.36 pkg/kubelet/pluginmanager/plugin_manager.go, operationexecutor/operation_generator.go.
export const directoryPluginWatcherConfigSchema = defineConfig<DirectoryPluginWatcherConfig>(
  DIRECTORY_PLUGIN_WATCHER_CONFIG,
  {
    directory: stringField('/var/lib/kubelet/plugins_registry'),
    reconcilePeriodMs: integerField(1_000, { min: 1 }),
    dialTimeoutMs: integerField(10_000, { min: 1 }),
    getInfoTimeoutMs: integerField(1_000, { min: 1 }),
    notifyTimeoutMs: integerField(5_000, { min: 1 }),
    handlerGraceMs: integerField(10_000, { min: 0 }),
    maxPlugins: integerField(1_000, { min: 1 }),
  },
);
