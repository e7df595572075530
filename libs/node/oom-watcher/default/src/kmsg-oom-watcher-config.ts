import { defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface KmsgOomWatcherConfig {
  /** File with the kernel's messages. Default `/dev/kmsg`. */
  readonly file: string;
  /** Time between two reads, in milliseconds. Default 2000. */
  readonly pollPeriodMs: number;
}

export const kmsgOomWatcherConfigSchema = defineConfig<KmsgOomWatcherConfig>({
  file: stringField('/dev/kmsg'),
  pollPeriodMs: durationMsField(2000, { min: 10 }),
});
