import { booleanField, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface KmsgOomWatcherConfig {
  /** File with the kernel's messages. Default `/dev/kmsg`. */
  readonly file: string;
  /** Time between two reads, in milliseconds. Default 2000. */
  readonly pollPeriodMs: number;
  /** Gate KubeletInUserNamespace: in a user namespace the file may be unreadable. Default false. */
  readonly inUserNamespace: boolean;
}

export const kmsgOomWatcherConfigSchema = defineConfig<KmsgOomWatcherConfig>({
  file: stringField('/dev/kmsg'),
  pollPeriodMs: durationMsField(2000, { min: 10 }),
  inUserNamespace: booleanField(false),
});
