import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { IMAGE_GC } from '@podwright/image-gc-interface';
import { thresholdImageGcConfigSchema } from './threshold-image-gc-config.js';
import { imageGcNeeds, ThresholdImageGc } from './threshold-image-gc.js';

export const imageGcModule = defineModule({
  name: '@podwright/image-gc',
  provides: [IMAGE_GC],
  needs: imageGcNeeds,
  config: thresholdImageGcConfigSchema,
  create: (deps, config) => new ThresholdImageGc(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createThresholdImageGc = factoryOf(imageGcModule);
