import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { CGROUP_DRIVER } from '@podwright/cgroup-interface';
import { CADVISOR_METRICS, CGROUP_STATS } from '@podwright/cgroup-stats-interface';
import { IMAGE_SERVICE, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { CadvisorMetrics } from './cadvisor/cadvisor-metrics.js';
import { onDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
import { OnDemandCgroupStats } from './on-demand-cgroup-stats.js';

export const cgroupStatsModule = defineModule({
  name: '@podwright/cgroup-stats',
  provides: [CGROUP_STATS, CADVISOR_METRICS],
  requires: [CLOCK, LOGGER, RUNTIME_SERVICE, IMAGE_SERVICE, POD_MANAGER],
  optional: [CGROUP_DRIVER],
  config: onDemandCgroupStatsConfig,
  register: (container) => {
    container.registerSingleton(OnDemandCgroupStats);
    container.registerSingleton(CadvisorMetrics);
    // Aliases: both names give one instance.
    container.register(CGROUP_STATS, { useToken: OnDemandCgroupStats });
    container.register(CADVISOR_METRICS, { useToken: CadvisorMetrics });
  },
});
