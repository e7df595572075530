import {
  booleanField,
  CLOCK,
  createToken,
  defineConfig,
  defineModule,
  LOGGER,
  RANDOM,
  type AnyModule,
  type Resolver,
} from '@podwright/assembly-interface';
import { CLUSTER_TRUST_BUNDLES } from '@podwright/cluster-trust-bundle-interface';
import { CONFIGMAP_MANAGER } from '@podwright/configmap-interface';
import { createMountTools, type MountTools } from '@podwright/filesystem';
import { quantityToBytes } from '@podwright/kube-types';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { SECRET_MANAGER } from '@podwright/secret-interface';
import { SERVICE_ACCOUNT_TOKENS } from '@podwright/service-account-token-interface';
import { createApiDataVolumePlugins } from '@podwright/volume-api-data';
import { VOLUME_PLUGINS, type VolumePlugin } from '@podwright/volume-interface';
import { createLocalVolumePlugins, createLocalWrapperVolumes } from '@podwright/volume-local';

interface VolumePluginsConfig {
  /** With `--kubeconfig`; without, projected volumes are refused, as upstream does. */
  readonly hasApiServer: boolean;
}

const VOLUME_PLUGINS_CONFIG = createToken<VolumePluginsConfig>('kubelet.volume-plugins.config/v1');
const configSchema = defineConfig<VolumePluginsConfig>(VOLUME_PLUGINS_CONFIG, { hasApiServer: booleanField(false) });

/** The volume plugins of this kubelet, with mount(8) and umount(8). Another family of plugins joins the list here. */
export const volumePluginsModule = volumePluginsModuleWith(createMountTools());

/** The same with other ways to mount. */
export function volumePluginsModuleWith(mounts: MountTools): AnyModule {
  return defineModule({
    name: 'volume-plugins',
    provides: [VOLUME_PLUGINS],
    requires: [
      NODE_SOURCE,
      SECRET_MANAGER,
      CONFIGMAP_MANAGER,
      SERVICE_ACCOUNT_TOKENS,
      CLUSTER_TRUST_BUNDLES,
      CLOCK,
      LOGGER,
      RANDOM,
    ],
    config: configSchema,
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
      secrets: resolver.resolve(SECRET_MANAGER),
      configMaps: resolver.resolve(CONFIGMAP_MANAGER),
      tokens: resolver.resolve(SERVICE_ACCOUNT_TOKENS),
      trustBundles: resolver.resolve(CLUSTER_TRUST_BUNDLES),
      hasApiServer: resolver.resolve(VOLUME_PLUGINS_CONFIG).hasApiServer,
      clock: resolver.resolve(CLOCK),
      random: resolver.resolve(RANDOM),
      logger,
    }),
  ];
}
