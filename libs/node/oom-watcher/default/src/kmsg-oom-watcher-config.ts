import { createToken, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface KmsgOomWatcherConfig {
  /** Where the kernel's messages are read. Default `/dev/kmsg`. */
  readonly file: string;
  /** Pause between two looks for new messages, in milliseconds. Default 2000. */
  readonly pollPeriodMs: number;
}

export const KMSG_OOM_WATCHER_CONFIG = createToken<KmsgOomWatcherConfig>('kubelet.oom-watcher.config/v1');

export const kmsgOomWatcherConfigSchema = defineConfig<KmsgOomWatcherConfig>(KMSG_OOM_WATCHER_CONFIG, {
  file: stringField('/dev/kmsg'),
  pollPeriodMs: durationMsField(2000, { min: 10 }),
});
