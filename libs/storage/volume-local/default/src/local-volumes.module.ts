import {
  CLOCK,
  contribution,
  defineModule,
  LOGGER,
  METRICS,
  needs,
  optional,
  pick,
  type Needs,
} from '@podwright/assembly-interface';
import { createMountTools } from '@podwright/filesystem';
import { quantityToBytes } from '@podwright/kube-types';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import { runProgram } from '@podwright/program';
import { MOUNT_TOOLS, VOLUME_PLUGINS, WRAPPER_VOLUMES, type VolumePlugin } from '@podwright/volume-interface';
import { createLocalVolumePlugins, createLocalWrapperVolumes } from './local-volume-plugins.js';
import { localVolumesConfig, type LocalVolumesConfig } from './local-volumes-config.js';
import { ProjectQuotas } from './quota/project-quotas.js';
import { QuotaTools } from './quota/quota-tools.js';

export const localVolumesNeeds = needs({
  logger: LOGGER,
  clock: CLOCK,
  metrics: METRICS,
  nodeSource: pick(NODE_SOURCE, 'getNode'),
  mounts: optional(MOUNT_TOOLS),
});

/** Provides the plugins that need only the node, and the emptyDir below volumes whose files the kubelet writes. */
export const localVolumesModule = defineModule({
  name: '@podwright/volume-local',
  provides: { wrapper: WRAPPER_VOLUMES },
  needs: localVolumesNeeds,
  config: localVolumesConfig,
  create: (deps: Needs<typeof localVolumesNeeds>, { rootDir, quotaMonitoring, standInRoot }: LocalVolumesConfig) => {
    const { logger, clock, metrics, nodeSource, mounts = createMountTools() } = deps;
    const allocatableMemoryBytes = (): number => quantityToBytes(nodeSource.getNode().status?.allocatable?.['memory']);
    const tools = new QuotaTools({ run: runProgram });
    const quotas = quotaMonitoring ? new ProjectQuotas({ tools, listMounts: () => mounts.list() }) : undefined;
    const local = { logger, mounts, allocatableMemoryBytes, rootDir, standInRoot, quotas, measure: { clock, metrics } };
    return { wrapper: createLocalWrapperVolumes(local), plugins: createLocalVolumePlugins(local) };
  },
  contributes: [contribution(VOLUME_PLUGINS, ({ plugins }: { readonly plugins: readonly VolumePlugin[] }) => plugins)],
});
