import { createToken, defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface LogEventRecorderConfig {
  /** Name that events about the node carry. Default empty. */
  readonly nodeName: string;
  /** A repetition of an event within this time is counted, not logged again, in milliseconds. Default 60000. */
  readonly aggregationMs: number;
  /** How many different events are watched for repetitions; past it the one not seen for longest is forgotten. Default 4096. */
  readonly maxCorrelated: number;
  /** How many events can be read back. Default 1000. */
  readonly keepRecent: number;
}

export const LOG_EVENT_RECORDER_CONFIG = createToken<LogEventRecorderConfig>('kubelet.log-event-recorder.config/v1');

export const logEventRecorderConfigSchema = defineConfig<LogEventRecorderConfig>(LOG_EVENT_RECORDER_CONFIG, {
  nodeName: stringField(''),
  aggregationMs: durationMsField(60_000),
  maxCorrelated: integerField(4096, { min: 1 }),
  keepRecent: integerField(1000, { min: 0 }),
});
