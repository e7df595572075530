import 'reflect-metadata'; // tsyringe refuses to load without it

export { createOnDemandStats, OnDemandStats } from './on-demand-stats.js';
export type { OnDemandStatsDeps } from './on-demand-stats.js';
export { ON_DEMAND_STATS_CONFIG } from './on-demand-stats-config.js';
export type { OnDemandStatsConfig } from './on-demand-stats-config.js';
export { onDemandStatsModule } from './on-demand-stats.module.js';
export { WorkerDiskUsage } from './disk-usage/worker-disk-usage.js';
export type { WorkerDiskUsageOptions } from './disk-usage/worker-disk-usage.js';
export type { CountedUsage, DiskUsage, FileSystemNumbers, FolderUsage, TreeUsage } from './disk-usage/disk-usage.js';
