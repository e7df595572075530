import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { EvictionDecision } from './eviction-decision.js';

/**
 * Frees memory, disk, inodes and process numbers of the node before the kernel has to, and keeps pods within their local
 * storage. Started, it looks every ten seconds, refuses pods that would make a shortage worse, and tells the node's
 * conditions. Source: kubernetes v1.36 pkg/kubelet/eviction.
 */
export interface EvictionManager extends Lifecycle, HealthReporter {
  /**
   * One pass now: looks, reclaims, evicts at most one pod for a signal, or all that exceed limits of local storage. Passes never
   * run at the same time. Resolves with the decision when something was done or tried, else with undefined; rejects only when
   * the manager is stopped.
   */
  synchronize(): Promise<EvictionDecision | undefined>;
  /**
   * What a pass would do at this moment, without doing it: the ranking of all signals, met or not. Changes nothing, also not
   * what later passes do. Rejects when the node cannot be read.
   */
  dryRun(signal?: AbortSignal): Promise<EvictionDecision>;
  /** The last decisions, newest first; bounded, in memory only. */
  decisions(): readonly EvictionDecision[];
}

export const EVICTION_MANAGER = createToken<EvictionManager>('kubelet.eviction-manager/v1');
