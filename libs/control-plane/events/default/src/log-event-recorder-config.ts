import { defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface LogEventRecorderConfig {
  /** Name of the node in events about it. Default empty. */
  readonly nodeName: string;
  /** A repetition within this time is counted but not logged, in milliseconds. Default 60000. */
  readonly aggregationMs: number;
  /**
   * Number of different events checked for repetitions; beyond it the least recently seen is forgotten. Default 4096.
   */
  readonly maxCorrelated: number;
  /** Number of events that can be read back. Default 1000. */
  readonly keepRecent: number;
}

export const logEventRecorderConfigSchema = defineConfig<LogEventRecorderConfig>({
  nodeName: stringField(''),
  aggregationMs: durationMsField(60_000),
  maxCorrelated: integerField(4096, { min: 1 }),
  keepRecent: integerField(1000, { min: 0 }),
});
