import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** One OOM kill by the kernel. */
export interface OomKill {
  readonly processName: string;
  readonly pid: number;
  /** Cgroup of the killed process; `/` when the whole system ran out of memory. */
  readonly containerCgroup: string;
  /** Cgroup that reached its limit; `/` when the whole system ran out of memory. */
  readonly limitCgroup: string;
  /** Use and limit of the cgroup that reached its limit, in bytes; absent when the kernel did not say. */
  readonly usageBytes?: number;
  readonly limitBytes?: number;
}

/**
 * Watches the kernel's log for OOM kills, and records an event about the node when the whole system ran out of memory.
 * Source: kubernetes v1.36 pkg/kubelet/oom.
 */
export interface OomWatcher extends Lifecycle, HealthReporter {
  /** Calls `listener` with each kill, those inside containers included. Returns unsubscribe. */
  watch(listener: (kill: OomKill) => void): () => void;
}

export const OOM_WATCHER = createToken<OomWatcher>('kubelet.oom-watcher/v1');
