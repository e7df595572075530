import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** One kill by the kernel for want of memory. */
export interface OomKill {
  readonly processName: string;
  readonly pid: number;
  /** Cgroup of the victim; `/` when the whole system was short. */
  readonly containerCgroup: string;
  /** Cgroup whose limit was reached; `/` when the whole system was short. */
  readonly limitCgroup: string;
}

/**
 * Watches the kernel's messages for kills for want of memory and records an event on the node when the system as a whole was
 * short. Source: kubernetes v1.36 pkg/kubelet/oom.
 */
export interface OomWatcher extends Lifecycle, HealthReporter {
  /** Every kill, those inside containers too. Returns unsubscribe. */
  watch(listener: (kill: OomKill) => void): () => void;
}

export const OOM_WATCHER = createToken<OomWatcher>('kubelet.oom-watcher/v1');
