import { defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface RuntimeStateConfig {
  readonly pollPeriodMs: number;
  /** Pause between polls until the first good answer, in milliseconds. */
  readonly startPollPeriodMs: number;
  readonly downAfterMs: number;
}

export const runtimeStateConfigSchema = defineConfig<RuntimeStateConfig>({
  pollPeriodMs: durationMsField(5_000, { min: 1 }),
  startPollPeriodMs: durationMsField(100, { min: 1 }),
  downAfterMs: durationMsField(30_000, { min: 1 }),
});
