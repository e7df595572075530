import { LOGGER, defineModule } from '@podwright/assembly-interface';
import { VOLUME_PLUGINS } from '@podwright/volume-interface';
import { createLocalVolumePlugins } from '@podwright/volume-local';

/** The volume plugins of this kubelet. Another family of plugins joins the list here. */
export const volumePluginsModule = defineModule({
  name: 'volume-plugins',
  provides: [VOLUME_PLUGINS],
  requires: [LOGGER],
  register: (container) => {
    container.register(VOLUME_PLUGINS, {
      useFactory: (resolver) => [...createLocalVolumePlugins({ logger: resolver.resolve(LOGGER) })],
    });
  },
});
