import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import { VOLUME_MANAGER, VOLUME_PLUGINS } from '@podwright/volume-interface';
import { OnDemandVolumeManager } from './on-demand-volume-manager.js';
import { volumeManagerConfigSchema } from './volume-manager-config.js';

export const volumeManagerModule = defineModule({
  name: '@podwright/volume',
  provides: [VOLUME_MANAGER],
  requires: [VOLUME_PLUGINS, POD_LIFECYCLE, EVENT_RECORDER, CLOCK, LOGGER, METRICS],
  config: volumeManagerConfigSchema,
  register: (container) => {
    container.registerSingleton(OnDemandVolumeManager);
    container.register(VOLUME_MANAGER, { useToken: OnDemandVolumeManager });
  },
});
