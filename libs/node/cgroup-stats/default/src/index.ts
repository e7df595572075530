import 'reflect-metadata'; // tsyringe refuses to load without it
export { CadvisorMetrics } from './cadvisor/cadvisor-metrics.js';
export type { CadvisorRuntime } from './cadvisor/cadvisor-metrics.js';
export { cgroupStatsModule } from './cgroup-stats.module.js';
export { createCadvisorMetrics } from './create-cadvisor-metrics.js';
export type { CadvisorMetricsDeps } from './create-cadvisor-metrics.js';
export { createOnDemandCgroupStats } from './create-on-demand-cgroup-stats.js';
export type { OnDemandCgroupStatsDeps } from './create-on-demand-cgroup-stats.js';
export { ON_DEMAND_CGROUP_STATS_CONFIG, onDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
export type { OnDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
export { OnDemandCgroupStats } from './on-demand-cgroup-stats.js';
