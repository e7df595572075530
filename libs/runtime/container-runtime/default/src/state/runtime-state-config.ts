import { createToken, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface RuntimeStateConfig {
  readonly pollPeriodMs: number;
  /** Until the first good answer. */
  readonly startPollPeriodMs: number;
  readonly downAfterMs: number;
}

export const RUNTIME_STATE_CONFIG = createToken<RuntimeStateConfig>('kubelet.runtime-state.config/v1');

export const runtimeStateConfigSchema = defineConfig<RuntimeStateConfig>(RUNTIME_STATE_CONFIG, {
  pollPeriodMs: durationMsField(5_000, { min: 1 }),
  startPollPeriodMs: durationMsField(100, { min: 1 }),
  downAfterMs: durationMsField(30_000, { min: 1 }),
});
