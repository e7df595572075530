import {
  CLOCK,
  contribution,
  defineConfig,
  defineModule,
  durationMsField,
  factoryOf,
  LOGGER,
  METRICS,
  needs,
  optional,
  pick,
  stringField,
  type Needs,
} from '@podwright/assembly-interface';
import { createDiskTools } from '@podwright/block-device';
import { createMountTools } from '@podwright/filesystem';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { runProgram } from '@podwright/program';
import { MOUNT_TOOLS, VOLUME_PROBERS } from '@podwright/volume-interface';
import { join } from 'node:path';
import { FlexDriver } from './flex-driver.js';
import { FlexVolumeProber } from './flex-volume-prober.js';
import { createFlexVolumePlugin } from './flex-volume-plugin.js';

export interface FlexVolumesConfig {
  /** The kubelet's root directory; devices are mounted in `plugins` below it. */
  readonly rootDir: string;
  /** Folder of the drivers. The module creates it when it is missing. */
  readonly directory: string;
  /** Longest time for one call of a driver; it is killed then. */
  readonly callTimeoutMs: number;
  /** The same for `init`. The start of the kubelet waits for it. */
  readonly initTimeoutMs: number;
}

export const flexVolumesNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  metrics: optional(METRICS),
  mounts: optional(MOUNT_TOOLS),
  client: optional(pick(KUBE_CLIENT, 'get')),
});

/** Contributes the plugins of FlexVolume drivers, which come and go while the kubelet runs. */
export const flexVolumesModule = defineModule({
  name: '@podwright/volume-flex',
  provides: [],
  needs: flexVolumesNeeds,
  config: defineConfig<FlexVolumesConfig>({
    rootDir: stringField('/var/lib/kubelet'),
    directory: stringField('/usr/libexec/kubernetes/kubelet-plugins/volume/exec/'),
    callTimeoutMs: durationMsField(600_000, { min: 1 }),
    initTimeoutMs: durationMsField(10_000, { min: 1 }),
  }),
  create: (deps: Needs<typeof flexVolumesNeeds>, config: FlexVolumesConfig) => {
    const { clock, logger, metrics, client, mounts = createMountTools() } = deps;
    const disks = createDiskTools({ mounts, logger });
    const pluginsDir = join(config.rootDir, 'plugins');
    const probe = async (found: { readonly name: string; readonly executable: string }) => {
      const driver = new FlexDriver(
        { run: runProgram, clock, logger },
        { ...found, callTimeoutMs: config.callTimeoutMs },
      );
      const deadline = clock.deadline(config.initTimeoutMs);
      const capabilities = await driver.init(deadline.signal).finally(deadline.dispose);
      return createFlexVolumePlugin(
        { driver, mounts, disks, client, clock, logger, metrics, pluginsDir },
        capabilities,
      );
    };
    return new FlexVolumeProber({ clock, logger, probe }, config.directory);
  },
  contributes: [contribution(VOLUME_PROBERS, (prober: FlexVolumeProber) => [prober])],
});

/** Creates the prober without an assembly; start it before its plugins are there. */
export const createFlexVolumes = factoryOf(flexVolumesModule);
