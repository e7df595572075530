import { booleanField, defineConfig, stringField } from '@podwright/assembly-interface';

export interface NodeLogsConfig {
  /** False: `/logs/` answers 405. */
  readonly enabled: boolean;
  /** Allow queries for the logs of services. */
  readonly enableQuery: boolean;
  /** The directory that `/logs/` serves. */
  readonly directory: string;
}

/** Defaults are those of a KubeletConfiguration. */
export const nodeLogsConfig = defineConfig<NodeLogsConfig>({
  enabled: booleanField(true),
  enableQuery: booleanField(false),
  directory: stringField('/var/log'),
});
