import { CLOCK, contribution, defineModule, LOGGER, needs, optional, type Needs } from '@podwright/assembly-interface';
import { createMountTools } from '@podwright/filesystem';
import { MOUNT_TOOLS, VOLUME_PLUGINS, type VolumePlugin } from '@podwright/volume-interface';
import { createNfsVolumePlugin } from './nfs-volume.js';

export const nfsVolumesNeeds = needs({ clock: CLOCK, logger: LOGGER, mounts: optional(MOUNT_TOOLS) });

/** Contributes the plugin for NFS volumes. */
export const nfsVolumesModule = defineModule({
  name: '@podwright/volume-nfs',
  provides: {},
  needs: nfsVolumesNeeds,
  create: ({ mounts = createMountTools(), ...deps }: Needs<typeof nfsVolumesNeeds>) => ({
    plugin: createNfsVolumePlugin({ ...deps, mounts }),
  }),
  contributes: [contribution(VOLUME_PLUGINS, ({ plugin }: { readonly plugin: VolumePlugin }) => [plugin])],
});
