import { booleanField, createToken, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';

export interface ThresholdImageGcConfig {
  /** Disk usage in percent that starts the collection; with 100 and no maximum age nothing is collected by time. Default 85. */
  readonly highThresholdPercent: number;
  /** Disk usage in percent that ends it. Default 80. */
  readonly lowThresholdPercent: number;
  /** Images known for less than this are not removed for their size, in milliseconds. Default 120000. */
  readonly minAgeMs: number;
  /** Images unused for longer than this are removed whatever the usage, in milliseconds; 0 = no limit. Default 0. */
  readonly maxAgeMs: number;
  /** Pause between two passes, in milliseconds. Default 300000. */
  readonly periodMs: number;
  /** Gate RuntimeClassInImageCriAPI: an image is told apart by the handler that it was pulled for. Default false. */
  readonly runtimeClassInImageCriApi: boolean;
}

export const THRESHOLD_IMAGE_GC_CONFIG = createToken<ThresholdImageGcConfig>('kubelet.threshold-image-gc.config/v1');

const percent = { min: 0, max: 100 };

export const thresholdImageGcConfigSchema = defineConfig<ThresholdImageGcConfig>(
  THRESHOLD_IMAGE_GC_CONFIG,
  {
    highThresholdPercent: integerField(85, percent),
    lowThresholdPercent: integerField(80, percent),
    minAgeMs: durationMsField(120_000),
    maxAgeMs: durationMsField(0),
    periodMs: durationMsField(300_000, { min: 1 }),
    runtimeClassInImageCriApi: booleanField(false),
  },
  ({ highThresholdPercent: high, lowThresholdPercent: low }) =>
    low > high
      ? [
          {
            field: 'lowThresholdPercent',
            value: low,
            problem: `${low} can not be higher than highThresholdPercent ${high}`,
          },
        ]
      : [],
);
