import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { EvictionDecision } from './eviction-decision.js';

/**
 * Evicts pods before the node runs out of memory, disk, inodes or process IDs, and evicts pods that exceed their local
 * storage. Once started, it runs a pass every ten seconds, rejects new pods that would make a shortage worse, and
 * reports the node's pressure conditions. Source: kubernetes v1.36 pkg/kubelet/eviction.
 */
export interface EvictionManager extends Lifecycle, HealthReporter {
  /**
   * Runs one pass now: reads the signals, reclaims, and evicts at most one pod for a signal, or all pods over their
   * local storage limits. Passes never run concurrently. Resolves with the decision when the pass did or tried
   * something, else with undefined. Rejects only when the manager is stopped.
   */
  synchronize(): Promise<EvictionDecision | undefined>;
  /**
   * Plans a pass without carrying it out, and ranks the pods for every signal, met or not. Does not influence later
   * passes. Rejects when the node cannot be read.
   */
  dryRun(signal?: AbortSignal): Promise<EvictionDecision>;
  /** The latest decisions, newest first; a bounded number, in memory only. */
  decisions(): readonly EvictionDecision[];
}

export const EVICTION_MANAGER = createToken<EvictionManager>('kubelet.eviction-manager/v1');
