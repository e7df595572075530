import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { IMAGE_SERVICE } from '@podwright/cri-client-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { IMAGE_CREDENTIALS } from '@podwright/image-credentials-interface';
import { IMAGE_MANAGER, IMAGE_PULL_PROGRESS } from '@podwright/image-interface';
import { IMAGE_PULL_RECORDS } from '@podwright/image-pull-records-interface';
import { POD_START_OBSERVER } from '@podwright/status-interface';
import { POD_MEMORY } from '@podwright/pod-memory-interface';
import { pullingImageManagerConfigSchema } from './pulling-image-manager-config.js';
import { PullingImageManager } from './pulling-image-manager.js';

export const pullingImageManagerModule = defineModule({
  name: '@podwright/image',
  provides: [IMAGE_MANAGER, IMAGE_PULL_PROGRESS],
  requires: [IMAGE_SERVICE, EVENT_RECORDER, IMAGE_CREDENTIALS, POD_MEMORY, CLOCK, LOGGER, METRICS],
  optional: [POD_START_OBSERVER, IMAGE_PULL_RECORDS],
  config: pullingImageManagerConfigSchema,
  register: (container) => {
    container.registerSingleton(PullingImageManager);
    // Aliases: all names give one instance.
    container.register(IMAGE_MANAGER, { useToken: PullingImageManager });
    container.register(IMAGE_PULL_PROGRESS, { useToken: PullingImageManager });
  },
});
