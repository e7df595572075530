import type { FsStats, PodStats } from '@podwright/stats-interface';
import type { FileSystemReading } from './storage-stats.js';

export interface PodStatsOptions {
  /** Readings of cgroups no older than this may be used. */
  readonly maxAgeMs: number;
  /** UIDs of the pods that are read; absent: all. */
  readonly only?: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** One of the ways in which upstream learns of pods and of the file systems of the runtime. */
export interface PodStatsSource {
  /** Value of the label of the metric kubelet_metrics_provider. */
  readonly name: 'cri' | 'cadvisor';
  full(rootFs: FileSystemReading, options: PodStatsOptions): Promise<readonly PodStats[]>;
  /** Cpu, memory and swap. */
  reduced(options: PodStatsOptions): Promise<readonly PodStats[]>;
  imageFs(signal: AbortSignal): Promise<{ readonly imageFs: FsStats; readonly containerFs: FsStats }>;
}
