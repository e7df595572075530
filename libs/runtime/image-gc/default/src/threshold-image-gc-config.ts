import { booleanField, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';

export interface ThresholdImageGcConfig {
  /**
   * Disk usage in percent at which a pass frees space; with 100 and no maximum age, periodic passes remove nothing.
   * Default 85.
   */
  readonly highThresholdPercent: number;
  /** Disk usage in percent at which a pass stops. Default 80. */
  readonly lowThresholdPercent: number;
  /** A pass for space keeps images detected less than this ago, in milliseconds. Default 120000. */
  readonly minAgeMs: number;
  /** Images unused for longer than this are removed at any usage, in milliseconds; 0 = no limit. Default 0. */
  readonly maxAgeMs: number;
  /** Pause between two passes, in milliseconds. Default 300000. */
  readonly periodMs: number;
  /** Gate RuntimeClassInImageCriApi: an image pulled for two handlers counts as two. Default false. */
  readonly runtimeClassInImageCriApi: boolean;
}

const percent = { min: 0, max: 100 };

export const thresholdImageGcConfigSchema = defineConfig<ThresholdImageGcConfig>(
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
