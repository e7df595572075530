import { createToken, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';

export interface StatusSenderConfig {
  /** Time between two comparisons of all pods with their API objects, and the longest pause before something is sent again. */
  readonly syncPeriodMs: number;
  /** Most pods whose status is on its way at one time. */
  readonly maxConcurrent: number;
}

export const STATUS_SENDER_CONFIG = createToken<StatusSenderConfig>('kubelet.status.config/v1');

export const statusSenderConfig = defineConfig<StatusSenderConfig>(STATUS_SENDER_CONFIG, {
  syncPeriodMs: durationMsField(10_000, { min: 1 }),
  maxConcurrent: integerField(8, { min: 1 }),
});
