import { join } from 'node:path';
import {
  CLOCK,
  contribution,
  defineConfig,
  defineModule,
  factoryOf,
  LOGGER,
  METRICS,
  needs,
  optional,
  stringField,
  type Needs,
} from '@podwright/assembly-interface';
import { createDiskTools } from '@podwright/block-device';
import { createMountTools } from '@podwright/filesystem';
import { runProgram } from '@podwright/program';
import { MOUNT_TOOLS, VOLUME_PLUGINS, type VolumePlugin } from '@podwright/volume-interface';
import { createFcVolumePlugin } from './fc-volume-plugin.js';

export interface FcVolumesConfig {
  /** The kubelet's root directory; disks are mounted in `plugins` below it. */
  readonly rootDir: string;
  readonly sysDir: string;
  readonly devDir: string;
}

export const fcVolumesNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  metrics: optional(METRICS),
  mounts: optional(MOUNT_TOOLS),
});

/** Contributes the plugin for Fibre Channel. */
export const fcVolumesModule = defineModule({
  name: '@podwright/volume-fc',
  provides: [],
  needs: fcVolumesNeeds,
  config: defineConfig<FcVolumesConfig>({
    rootDir: stringField('/var/lib/kubelet'),
    sysDir: stringField('/sys'),
    devDir: stringField('/dev'),
  }),
  create: (deps: Needs<typeof fcVolumesNeeds>, { rootDir, ...folders }: FcVolumesConfig) => {
    const { mounts = createMountTools(), clock, logger, metrics } = deps;
    const tools = { mounts, run: runProgram, disks: createDiskTools({ mounts, logger }) };
    return createFcVolumePlugin({ clock, logger, metrics, ...tools, ...folders, pluginsDir: join(rootDir, 'plugins') });
  },
  contributes: [contribution(VOLUME_PLUGINS, (plugin: VolumePlugin) => [plugin])],
});

/** Creates the plugin without an assembly. */
export const createFcVolumes = factoryOf(fcVolumesModule);
