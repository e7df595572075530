import { createToken, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';

export interface GenericPlegConfig {
  /** Pause between the end of a relist and the next one, in milliseconds. Default 1000. */
  readonly relistPeriodMs: number;
  /** Age of the last good relist at which the pleg calls itself unhealthy, in milliseconds. Default 180000. */
  readonly relistThresholdMs: number;
  /** How many pods are inspected at once. Default 4. */
  readonly parallelInspections: number;
  /** How long one inspection may take, in milliseconds. Default 120000, the runtime request timeout. */
  readonly inspectionTimeoutMs: number;
  /** An inspection that takes longer no longer counts against `parallelInspections`, in milliseconds. Default 10000. */
  readonly slowInspectionMs: number;
  /** How many pods may wait for a look on demand; further requests are left to the next relist. Default 200. */
  readonly onDemandQueue: number;
}

export const GENERIC_PLEG_CONFIG = createToken<GenericPlegConfig>('kubelet.generic-pleg.config/v1');

export const genericPlegConfigSchema = defineConfig<GenericPlegConfig>(
  GENERIC_PLEG_CONFIG,
  {
    relistPeriodMs: durationMsField(1000, { min: 1 }),
    relistThresholdMs: durationMsField(180_000, { min: 1 }),
    parallelInspections: integerField(4, { min: 1 }),
    inspectionTimeoutMs: durationMsField(120_000, { min: 1 }),
    slowInspectionMs: durationMsField(10_000, { min: 1 }),
    onDemandQueue: integerField(200, { min: 1 }),
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
