import { booleanField, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface GenericPlegConfig {
  /** Pause between the end of a relist and the next one, in milliseconds. Default 1000. */
  readonly relistPeriodMs: number;
  /** Age of the last good relist at which the pleg is unhealthy, in milliseconds. Default 180000. */
  readonly relistThresholdMs: number;
  /** Gate PLEGOnDemandRelist: without it, each request waits for the next relist. */
  readonly onDemandRelist: boolean;
}

export const genericPlegConfigSchema = defineConfig<GenericPlegConfig>(
  {
    relistPeriodMs: durationMsField(1000, { min: 1 }),
    relistThresholdMs: durationMsField(180_000, { min: 1 }),
    onDemandRelist: booleanField(true),
  },
  ({ relistPeriodMs, relistThresholdMs }) =>
    relistThresholdMs > relistPeriodMs
      ? []
      : [
          {
            field: 'relistThresholdMs',
            value: relistThresholdMs,
            problem: `must be more than relistPeriodMs (${relistPeriodMs})`,
          },
        ],
);
