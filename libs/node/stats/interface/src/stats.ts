import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { Summary } from './summary.js';

export interface SummaryOptions {
  /** True: the reduced form, with CPU, memory and swap only; reads no file systems. */
  readonly onlyCpuAndMemory?: boolean;
  /** Highest age of a cached reading; 0 always reads. Absent: 10 000 ms, as upstream. */
  readonly maxAgeMs?: number;
  /**
   * Full form only: reads these pods and no others, because pods are what makes a summary expensive. Empty: the node
   * without pods. Such a reading is not shared with other callers.
   */
  readonly podUids?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Usage of the node, its pods and their file systems. Source: kubernetes v1.36 pkg/kubelet/stats,
 * pkg/kubelet/server/stats.
 */
export interface StatsProvider extends Lifecycle, HealthReporter {
  /** Rejects when the node as a whole cannot be read. Leaves out, and logs, a pod that cannot be read. */
  summary(options?: SummaryOptions): Promise<Summary>;
}

export const STATS_PROVIDER = createToken<StatsProvider>('kubelet.stats-provider/v1');
