import {
  booleanField,
  CLOCK,
  contribution,
  defineConfig,
  defineModule,
  LOGGER,
  METRICS,
  needs,
  pick,
  RANDOM,
  type Needs,
} from '@podwright/assembly-interface';
import { CLUSTER_TRUST_BUNDLES } from '@podwright/cluster-trust-bundle-interface';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { POD_CERTIFICATES } from '@podwright/pod-certificate-interface';
import { CONFIGMAP_MANAGER, SECRET_MANAGER } from '@podwright/referenced-objects-interface';
import { SERVICE_ACCOUNT_TOKENS } from '@podwright/service-account-token-interface';
import { VOLUME_PLUGINS, WRAPPER_VOLUMES, type VolumePlugin } from '@podwright/volume-interface';
import { createApiDataVolumePlugins } from './api-data-volume-plugins.js';

export interface ApiDataVolumesConfig {
  /**
   * Whether there is an API server (`--kubeconfig`); without one projected volumes are rejected, as upstream. Default
   * false.
   */
  readonly hasApiServer: boolean;
}

export const apiDataVolumesNeeds = needs({
  wrapper: WRAPPER_VOLUMES,
  nodeSource: pick(NODE_SOURCE, 'getNode'),
  secrets: SECRET_MANAGER,
  configMaps: CONFIGMAP_MANAGER,
  tokens: pick(SERVICE_ACCOUNT_TOKENS, 'get', 'deletePod'),
  trustBundles: pick(CLUSTER_TRUST_BUNDLES, 'byName', 'bySigner'),
  certificates: pick(POD_CERTIFICATES, 'credentialBundle'),
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: METRICS,
});

/** Provides the plugins whose files the kubelet writes. */
export const apiDataVolumesModule = defineModule({
  name: '@podwright/volume-api-data',
  provides: [],
  needs: apiDataVolumesNeeds,
  config: defineConfig<ApiDataVolumesConfig>({ hasApiServer: booleanField(false) }),
  create: (deps: Needs<typeof apiDataVolumesNeeds>, { hasApiServer }: ApiDataVolumesConfig) =>
    createApiDataVolumePlugins({ ...deps, hasApiServer }),
  contributes: [contribution(VOLUME_PLUGINS, (plugins: readonly VolumePlugin[]) => plugins)],
});
