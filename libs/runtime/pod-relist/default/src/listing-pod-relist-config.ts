import { createToken, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';

export interface ListingPodRelistConfig {
  /** How many pods are inspected at once. Default 4. */
  readonly parallelInspections: number;
  /** How long one inspection may take, in milliseconds. Default 120000, the runtime request timeout. */
  readonly inspectionTimeoutMs: number;
  /** An inspection that takes longer no longer counts against `parallelInspections`, in milliseconds. Default 10000. */
  readonly slowInspectionMs: number;
  /** How many pods may wait for a look on demand; further requests are left to the next relist. Default 200. */
  readonly onDemandQueue: number;
}

export const LISTING_POD_RELIST_CONFIG = createToken<ListingPodRelistConfig>('kubelet.pod-relist.config/v1');

export const listingPodRelistConfigSchema = defineConfig<ListingPodRelistConfig>(LISTING_POD_RELIST_CONFIG, {
  parallelInspections: integerField(4, { min: 1 }),
  inspectionTimeoutMs: durationMsField(120_000, { min: 1 }),
  slowInspectionMs: durationMsField(10_000, { min: 1 }),
  onDemandQueue: integerField(200, { min: 1 }),
});
