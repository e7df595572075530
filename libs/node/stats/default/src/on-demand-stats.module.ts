import { CLOCK, defineModule, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { CGROUP_STATS } from '@podwright/cgroup-stats-interface';
import { IMAGE_SERVICE, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { IMAGE_FS_STATS, RESOURCE_METRICS, STATS_PROVIDER } from '@podwright/stats-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import { onDemandStatsConfigSchema } from './on-demand-stats-config.js';
import { OnDemandStats } from './on-demand-stats.js';

export const onDemandStatsModule = defineModule({
  name: '@podwright/stats',
  provides: [STATS_PROVIDER, IMAGE_FS_STATS, RESOURCE_METRICS],
  requires: [
    RUNTIME_SERVICE,
    IMAGE_SERVICE,
    CGROUP_STATS,
    POD_MANAGER,
    VOLUME_MANAGER,
    STATUS_MANAGER,
    CLOCK,
    RANDOM,
    LOGGER,
    METRICS,
  ],
  config: onDemandStatsConfigSchema,
  register: (container) => {
    container.registerSingleton(OnDemandStats);
    container.register(STATS_PROVIDER, { useToken: OnDemandStats }); // alias: all names give one instance
    container.register(IMAGE_FS_STATS, { useToken: OnDemandStats });
    container.register(RESOURCE_METRICS, { useToken: OnDemandStats });
  },
});
