import type { FsStats, PodStats } from '@podwright/stats-interface';
import type { FileSystemReading } from './storage-stats.js';

export interface PodStatsOptions {
  /** Maximum age of cgroup readings. */
  readonly maxAgeMs: number;
  /** UIDs of the pods to read; absent: all. */
  readonly only?: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** A source of pod statistics and of the runtime's file systems; upstream has two. */
export interface PodStatsSource {
  full(rootFs: FileSystemReading, options: PodStatsOptions): Promise<readonly PodStats[]>;
  /** CPU, memory and swap only. */
  reduced(options: PodStatsOptions): Promise<readonly PodStats[]>;
  imageFs(signal: AbortSignal): Promise<{ readonly imageFs: FsStats; readonly containerFs: FsStats }>;
}
