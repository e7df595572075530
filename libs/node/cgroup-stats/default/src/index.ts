export { CadvisorMetrics, cadvisorMetricsNeeds } from './cadvisor/cadvisor-metrics.js';
export type { CadvisorMetricsDeps } from './cadvisor/cadvisor-metrics.js';
export { cgroupStatsModule, createCadvisorMetrics, createOnDemandCgroupStats } from './cgroup-stats.module.js';
export { onDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
export type { OnDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
export { cgroupStatsNeeds, OnDemandCgroupStats } from './on-demand-cgroup-stats.js';
export type { CgroupStatsNeeds } from './on-demand-cgroup-stats.js';
