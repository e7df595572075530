import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { IMAGE_SERVICE, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { IMAGE_GC } from '@podwright/image-gc-interface';
import { IMAGE_PULL_RECORDS } from '@podwright/image-pull-records-interface';
import { IMAGE_FS_STATS } from '@podwright/stats-interface';
import { TRACER } from '@podwright/tracing-interface';
import { thresholdImageGcConfigSchema } from './threshold-image-gc-config.js';
import { ThresholdImageGc } from './threshold-image-gc.js';

export const imageGcModule = defineModule({
  name: '@podwright/image-gc',
  provides: [IMAGE_GC],
  requires: [RUNTIME_SERVICE, IMAGE_SERVICE, IMAGE_FS_STATS, EVENT_RECORDER, METRICS, CLOCK, LOGGER],
  optional: [TRACER, IMAGE_PULL_RECORDS],
  config: thresholdImageGcConfigSchema,
  register: (container) => {
    container.registerSingleton(ThresholdImageGc);
    container.register(IMAGE_GC, { useToken: ThresholdImageGc }); // alias: both names give one instance
  },
});
