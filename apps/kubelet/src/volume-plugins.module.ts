import { CLOCK, LOGGER, RANDOM, defineModule, type Resolver } from '@podwright/assembly-interface';
import { quantityToBytes } from '@podwright/kube-types';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { createApiDataVolumePlugins } from '@podwright/volume-api-data';
import { VOLUME_PLUGINS, type VolumePlugin } from '@podwright/volume-interface';
import { createLocalVolumePlugins, createLocalWrapperVolumes } from '@podwright/volume-local';

/** The volume plugins of this kubelet. Another family of plugins joins the list here. */
export const volumePluginsModule = defineModule({
  name: 'volume-plugins',
  provides: [VOLUME_PLUGINS],
  requires: [NODE_SOURCE, CLOCK, LOGGER, RANDOM],
  register: (container) => {
    container.register(VOLUME_PLUGINS, { useFactory: volumePlugins });
  },
});

function volumePlugins(resolver: Resolver): readonly VolumePlugin[] {
  const logger = resolver.resolve(LOGGER);
  const nodeSource = resolver.resolve(NODE_SOURCE);
  const allocatableMemoryBytes = (): number => quantityToBytes(nodeSource.getNode().status?.allocatable?.['memory']);
  const local = { logger, allocatableMemoryBytes };
  return [
    ...createLocalVolumePlugins(local),
    ...createApiDataVolumePlugins({
      wrapper: createLocalWrapperVolumes(local),
      nodeSource,
      clock: resolver.resolve(CLOCK),
      random: resolver.resolve(RANDOM),
      logger,
    }),
  ];
}
