import { booleanField, stringField, type ConfigField } from '@podwright/assembly-interface';

/** Which endpoints there are, and where what they read and write is. */
export interface EndpointsConfig {
  /** Everything but health, metrics, stats and pods. */
  readonly enableDebuggingHandlers: boolean;
  /** `/logs/`. */
  readonly enableSystemLogHandler: boolean;
  /** Queries on `/logs/` for what services wrote. */
  readonly enableSystemLogQuery: boolean;
  /** `/debug/pprof/`. */
  readonly enableProfilingHandler: boolean;
  /** `/debug/flags/v`. */
  readonly enableDebugFlagsHandler: boolean;
  /** Feature gate ContainerCheckpoint: `/checkpoint`. */
  readonly containerCheckpoint: boolean;
  /** Feature gate PodLogsQuerySplitStreams. */
  readonly splitLogStreams: boolean;
  /** Feature gates ComponentFlagz and ComponentStatusz. */
  readonly flagz: boolean;
  readonly statusz: boolean;
  /** Of the kubelet; checkpoints are written below it. */
  readonly rootDir: string;
  /** What `/logs/` serves. */
  readonly nodeLogDir: string;
}

/** Defaults are those of a KubeletConfiguration, and the gates' own. */
export const endpointsFields: { readonly [Name in keyof EndpointsConfig]: ConfigField<EndpointsConfig[Name]> } = {
  enableDebuggingHandlers: booleanField(true),
  enableSystemLogHandler: booleanField(true),
  enableSystemLogQuery: booleanField(false),
  enableProfilingHandler: booleanField(true),
  enableDebugFlagsHandler: booleanField(true),
  containerCheckpoint: booleanField(true),
  splitLogStreams: booleanField(false),
  flagz: booleanField(true),
  statusz: booleanField(true),
  rootDir: stringField('/var/lib/kubelet'),
  nodeLogDir: stringField('/var/log'),
};
