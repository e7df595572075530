import 'reflect-metadata'; // tsyringe refuses to load without it
export { createThresholdImageGc, ThresholdImageGc } from './threshold-image-gc.js';
export type { ThresholdImageGcDeps } from './threshold-image-gc.js';
export { THRESHOLD_IMAGE_GC_CONFIG, thresholdImageGcConfigSchema } from './threshold-image-gc-config.js';
export type { ThresholdImageGcConfig } from './threshold-image-gc-config.js';
export { imageGcModule } from './threshold-image-gc.module.js';
