export { imageGcNeeds, ThresholdImageGc } from './threshold-image-gc.js';
export type { ImageGcNeeds } from './threshold-image-gc.js';
export { thresholdImageGcConfigSchema } from './threshold-image-gc-config.js';
export type { ThresholdImageGcConfig } from './threshold-image-gc-config.js';
export { createThresholdImageGc, imageGcModule } from './threshold-image-gc.module.js';
