export { OnDemandStats, onDemandStatsNeeds } from './on-demand-stats.js';
export type { OnDemandStatsNeeds } from './on-demand-stats.js';
export type { OnDemandStatsConfig } from './on-demand-stats-config.js';
export { createOnDemandStats, onDemandStatsModule } from './on-demand-stats.module.js';
export { WorkerDiskUsage } from './disk-usage/worker-disk-usage.js';
export type { WorkerDiskUsageOptions } from './disk-usage/worker-disk-usage.js';
export type { CountedUsage, DiskUsage, FileSystemNumbers, FolderUsage, TreeUsage } from './disk-usage/disk-usage.js';
export { createStatsRoutes, statsRoutesModule, statsRoutesNeeds } from './routes/stats-routes.module.js';
export type { StatsRoutesNeeds } from './routes/stats-routes.module.js';
