export { IMAGE_FS_STATS } from './image-fs-stats.js';
export type { ImageFsStats } from './image-fs-stats.js';
export { STATS_PROVIDER } from './stats.js';
export type { StatsProvider, SummaryOptions } from './stats.js';
export type {
  ContainerStats,
  CpuStats,
  FsStats,
  InterfaceStats,
  IoStats,
  MemoryStats,
  NetworkStats,
  NodeStats,
  PodStats,
  PsiData,
  PsiStats,
  Summary,
  SwapStats,
  VolumeStats,
} from './summary.js';
