import { defineConfig, durationMsField, integerField, numberField } from '@podwright/assembly-interface';

export interface PullingImageManagerConfig {
  /**
   * First wait after a failed pull of an image for a pod, in milliseconds; it doubles with each failure. Default 10000.
   */
  readonly pullBackOffInitialMs: number;
  /** Longest wait after a failed pull, in milliseconds. Default 300000. */
  readonly pullBackOffMaxMs: number;
  /** How many images are pulled at the same time; 0 = no limit. Default 1 (upstream's serializeImagePulls). */
  readonly parallelPulls: number;
  /** Pulls per second; 0 = no limit. Default 5. */
  readonly registryPullQps: number;
  /** Pulls that may start at once after a pause. Default 10. */
  readonly registryBurst: number;
}

export const pullingImageManagerConfigSchema = defineConfig<PullingImageManagerConfig>({
  pullBackOffInitialMs: durationMsField(10_000),
  pullBackOffMaxMs: durationMsField(300_000),
  parallelPulls: integerField(1, { min: 0 }),
  registryPullQps: numberField(5, { min: 0 }),
  registryBurst: integerField(10, { min: 1 }),
});
