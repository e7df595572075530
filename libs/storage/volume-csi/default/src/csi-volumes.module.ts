import {
  booleanField,
  CLOCK,
  contribution,
  defineConfig,
  defineModule,
  LOGGER,
  METRICS,
  needs,
  optional,
  pick,
  stringField,
  type Needs,
} from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { createMountTools } from '@podwright/filesystem';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { SERVICE_ACCOUNT_TOKENS } from '@podwright/service-account-token-interface';
import { MOUNT_TOOLS, VOLUME_PLUGINS, type VolumePlugin } from '@podwright/volume-interface';
import { CSI_CLIENTS } from './client/csi-client.js';
import { CSI_DRIVERS } from './csi-drivers/csi-driver-objects.js';
import type { CsiVolumeOptions } from './csi-volume-deps.js';
import { createCsiVolumePlugin } from './csi-volume-plugin.js';

export const csiVolumesNeeds = needs({
  clients: CSI_CLIENTS,
  driverObjects: pick(CSI_DRIVERS, 'get'),
  api: pick(KUBE_CLIENT, 'get'),
  tokens: pick(SERVICE_ACCOUNT_TOKENS, 'get'),
  events: EVENT_RECORDER,
  metrics: METRICS,
  clock: CLOCK,
  logger: LOGGER,
  mounts: optional(MOUNT_TOOLS),
});

/** The plugin that stages, publishes, maps and measures volumes of CSI drivers. */
export const csiVolumesModule = defineModule({
  name: '@podwright/volume-csi',
  provides: [],
  needs: csiVolumesNeeds,
  config: defineConfig<CsiVolumeOptions>({
    rootDir: stringField('/var/lib/kubelet'),
    nodeName: stringField(),
    volumeHealth: booleanField(false),
  }),
  create: ({ mounts = createMountTools(), ...deps }: Needs<typeof csiVolumesNeeds>, options: CsiVolumeOptions) =>
    createCsiVolumePlugin({ ...deps, mounts }, options),
  contributes: [contribution(VOLUME_PLUGINS, (plugin: VolumePlugin) => [plugin])],
});
