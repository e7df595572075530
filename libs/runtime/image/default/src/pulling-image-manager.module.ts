import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { IMAGE_SERVICE } from '@podwright/cri-client-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { IMAGE_MANAGER } from '@podwright/image-interface';
import { POD_START_OBSERVER } from '@podwright/status-interface';
import { POD_MEMORY } from '@podwright/pod-memory-interface';
import { pullingImageManagerConfigSchema } from './pulling-image-manager-config.js';
import { PullingImageManager } from './pulling-image-manager.js';

export const pullingImageManagerModule = defineModule({
  name: '@podwright/image',
  provides: [IMAGE_MANAGER],
  requires: [IMAGE_SERVICE, EVENT_RECORDER, POD_MEMORY, CLOCK, LOGGER, METRICS],
  optional: [POD_START_OBSERVER],
  config: pullingImageManagerConfigSchema,
  register: (container) => {
    container.registerSingleton(PullingImageManager);
    container.register(IMAGE_MANAGER, { useToken: PullingImageManager }); // alias: both names give one instance
  },
});
