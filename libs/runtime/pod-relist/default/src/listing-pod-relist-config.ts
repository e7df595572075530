import { defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';

export interface ListingPodRelistConfig {
  /** How many pods are inspected at the same time. Default 4. */
  readonly parallelInspections: number;
  /** How long one inspection may take, in milliseconds. Default 120000, the runtime request timeout. */
  readonly inspectionTimeoutMs: number;
  /**
   * An inspection that takes longer gives its slot in `parallelInspections` to another pod, in milliseconds. Default
   * 10000.
   */
  readonly slowInspectionMs: number;
  /** How many pods may wait for a relist on demand; further ones are left to the next relist. Default 200. */
  readonly onDemandQueue: number;
}

export const listingPodRelistConfigSchema = defineConfig<ListingPodRelistConfig>({
  parallelInspections: integerField(4, { min: 1 }),
  inspectionTimeoutMs: durationMsField(120_000, { min: 1 }),
  slowInspectionMs: durationMsField(10_000, { min: 1 }),
  onDemandQueue: integerField(200, { min: 1 }),
});
