import { CLOCK, LOGGER, RANDOM, defineModule, type AnyModule, type Resolver } from '@podwright/assembly-interface';
import { createMountTools, type MountTools } from '@podwright/filesystem';
import { quantityToBytes } from '@podwright/kube-types';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { createApiDataVolumePlugins } from '@podwright/volume-api-data';
import { VOLUME_PLUGINS, type VolumePlugin } from '@podwright/volume-interface';
import { createLocalVolumePlugins, createLocalWrapperVolumes } from '@podwright/volume-local';

/** The volume plugins of this kubelet, with mount(8) and umount(8). Another family of plugins joins the list here. */
export const volumePluginsModule = volumePluginsModuleWith(createMountTools());

/** The same with other ways to mount. */
export function volumePluginsModuleWith(mounts: MountTools): AnyModule {
  return defineModule({
    name: 'volume-plugins',
    provides: [VOLUME_PLUGINS],
    requires: [NODE_SOURCE, CLOCK, LOGGER, RANDOM],
    register: (container) => {
      container.register(VOLUME_PLUGINS, { useFactory: (resolver) => volumePlugins(resolver, mounts) });
    },
  });
}

function volumePlugins(resolver: Resolver, mounts: MountTools): readonly VolumePlugin[] {
  const logger = resolver.resolve(LOGGER);
  const nodeSource = resolver.resolve(NODE_SOURCE);
  const allocatableMemoryBytes = (): number => quantityToBytes(nodeSource.getNode().status?.allocatable?.['memory']);
  const local = { logger, mounts, allocatableMemoryBytes };
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
