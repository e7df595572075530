import { defineConfig, integerField, stringField } from '@podwright/assembly-interface';

export interface DirectoryPluginWatcherConfig {
  /** Folder of the registration sockets. */
  readonly directory: string;
  /** Minimum time between two reconciliations of a socket. */
  readonly reconcilePeriodMs: number;
  readonly dialTimeoutMs: number;
  readonly getInfoTimeoutMs: number;
  readonly notifyTimeoutMs: number;
  /** Time after the start in which a plugin without a handler for its type is retried; after that it gets an error. */
  readonly handlerGraceMs: number;
  /** Further sockets are ignored. */
  readonly maxPlugins: number;
}

// Source: kubernetes v1.36 pkg/kubelet/pluginmanager/plugin_manager.go, operationexecutor/operation_generator.go.
export const directoryPluginWatcherConfigSchema = defineConfig<DirectoryPluginWatcherConfig>({
  directory: stringField('/var/lib/kubelet/plugins_registry'),
  reconcilePeriodMs: integerField(1_000, { min: 1 }),
  dialTimeoutMs: integerField(10_000, { min: 1 }),
  getInfoTimeoutMs: integerField(1_000, { min: 1 }),
  notifyTimeoutMs: integerField(5_000, { min: 1 }),
  handlerGraceMs: integerField(10_000, { min: 0 }),
  maxPlugins: integerField(1_000, { min: 1 }),
});
