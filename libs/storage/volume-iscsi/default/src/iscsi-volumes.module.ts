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
  pick,
  stringField,
  type Needs,
} from '@podwright/assembly-interface';
import { createDiskTools } from '@podwright/block-device';
import { createMountTools } from '@podwright/filesystem';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { runProgram } from '@podwright/program';
import { MOUNT_TOOLS, VOLUME_PLUGINS, type VolumePlugin } from '@podwright/volume-interface';
import { createIscsiVolumePlugin } from './iscsi-volume-plugin.js';
import { IscsiSysfs } from './iscsi-sysfs.js';
import { createIscsiadm } from './iscsiadm.js';
import { TargetLocks } from './target-locks.js';

export interface IscsiVolumesConfig {
  /** The kubelet's root directory; disks are mounted in `plugins` below it. */
  readonly rootDir: string;
  readonly sysDir: string;
  readonly devDir: string;
}

export const iscsiVolumesNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  metrics: optional(METRICS),
  mounts: optional(MOUNT_TOOLS),
  client: optional(pick(KUBE_CLIENT, 'get')),
});

/** Contributes the plugin for iSCSI, which runs `iscsiadm` of open-iscsi. */
export const iscsiVolumesModule = defineModule({
  name: '@podwright/volume-iscsi',
  provides: [],
  needs: iscsiVolumesNeeds,
  config: defineConfig<IscsiVolumesConfig>({
    rootDir: stringField('/var/lib/kubelet'),
    sysDir: stringField('/sys'),
    devDir: stringField('/dev'),
  }),
  create: (deps: Needs<typeof iscsiVolumesNeeds>, { rootDir, ...folders }: IscsiVolumesConfig) => {
    const { mounts = createMountTools(), logger } = deps;
    return createIscsiVolumePlugin({
      ...deps,
      ...folders,
      mounts,
      run: runProgram,
      disks: createDiskTools({ mounts, logger }),
      iscsiadm: createIscsiadm(),
      sysfs: new IscsiSysfs({ sysDir: folders.sysDir, logger }),
      targets: new TargetLocks(),
      pluginsDir: join(rootDir, 'plugins'),
    });
  },
  contributes: [contribution(VOLUME_PLUGINS, (plugin: VolumePlugin) => [plugin])],
});

/** Creates the plugin without an assembly. */
export const createIscsiVolumes = factoryOf(iscsiVolumesModule);
