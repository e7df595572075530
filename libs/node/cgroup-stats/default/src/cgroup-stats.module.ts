import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { CGROUP_STATS } from '@podwright/cgroup-stats-interface';
import { onDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
import { OnDemandCgroupStats } from './on-demand-cgroup-stats.js';

export const cgroupStatsModule = defineModule({
  name: '@podwright/cgroup-stats',
  provides: [CGROUP_STATS],
  requires: [CLOCK, LOGGER],
  config: onDemandCgroupStatsConfig,
  register: (container) => {
    container.registerSingleton(OnDemandCgroupStats);
    container.register(CGROUP_STATS, { useToken: OnDemandCgroupStats }); // alias: both names give one instance
  },
});
