import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { imageGcModule } from '@podwright/image-gc';
import { parseGoDuration } from '@podwright/time';
import type { NodeSettings } from './node-settings.js';

/** Options of image garbage collection. */
export function imageGcOptions({ configuration }: NodeSettings): ConfiguredModule {
  return configure(imageGcModule, {
    highThresholdPercent: configuration.imageGCHighThresholdPercent,
    lowThresholdPercent: configuration.imageGCLowThresholdPercent,
    minAgeMs: parseGoDuration(configuration.imageMinimumGCAge),
    maxAgeMs: parseGoDuration(configuration.imageMaximumGCAge),
  });
}
