import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { MetricsSource } from '@podwright/metrics';
import type { Summary } from './summary.js';

export interface SummaryOptions {
  /** The reduced form: cpu, memory and swap only; no file system is looked at. */
  readonly onlyCpuAndMemory?: boolean;
  /** Readings no older than this may answer; 0 reads anew. Absent: upstream's, 10 000 ms. */
  readonly maxAgeMs?: number;
  /**
   * Of the full form, these pods alone; the others are not read, which is what a summary costs. Empty: the node without pods. Such
   * a reading is not shared with others who ask.
   */
  readonly podUids?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Usage of the node, its pods and their file systems. Source: kubernetes v1.36 pkg/kubelet/stats,
 * pkg/kubelet/server/stats.
 */
export interface StatsProvider extends Lifecycle, HealthReporter {
  /** Rejects when the node as a whole cannot be read; a pod that cannot is left out and logged. */
  summary(options?: SummaryOptions): Promise<Summary>;
}

export const STATS_PROVIDER = createToken<StatsProvider>('kubelet.stats-provider/v1');

/** What `/metrics/resource` shows. */
export const RESOURCE_METRICS = createToken<MetricsSource>('kubelet.resource-metrics/v1');
