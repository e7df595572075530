import {
  CLOCK,
  contribution,
  defineModule,
  LOGGER,
  METRICS,
  needs,
  optional,
  type Needs,
} from '@podwright/assembly-interface';
import { createDiskTools } from '@podwright/block-device';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { createMountTools } from '@podwright/filesystem';
import { MOUNT_TOOLS, VOLUME_PLUGINS, type VolumePlugin } from '@podwright/volume-interface';
import { createLocalVolumePlugin } from './local-volume-plugin.js';

export const diskVolumesNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  events: EVENT_RECORDER,
  mounts: optional(MOUNT_TOOLS),
});

/** Contributes the plugin for local PersistentVolumes. */
export const diskVolumesModule = defineModule({
  name: '@podwright/volume-disk',
  provides: {},
  needs: diskVolumesNeeds,
  create: ({ mounts = createMountTools(), ...deps }: Needs<typeof diskVolumesNeeds>) => ({
    plugin: createLocalVolumePlugin({ ...deps, mounts, disks: createDiskTools({ mounts, logger: deps.logger }) }),
  }),
  contributes: [contribution(VOLUME_PLUGINS, ({ plugin }: { readonly plugin: VolumePlugin }) => [plugin])],
});
