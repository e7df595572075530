import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';
import type { EvictionDecision } from './eviction-decision.js';

/**
 * Frees memory, disk, inodes and process numbers of the node before the kernel has to, and keeps pods within their local
 * storage. Source: kubernetes v1.36 pkg/kubelet/eviction.
 */
export interface EvictionManager extends Lifecycle, HealthReporter {
  /** One pass now: looks, reclaims, evicts at most one pod (several only for local storage). Resolves with what it did. */
  synchronize(): Promise<EvictionDecision | undefined>;
  /** What a pass would do at this moment, without doing it: the ranking of all signals, met or not. */
  dryRun(signal?: AbortSignal): Promise<EvictionDecision>;
  /** The last decisions, newest first; bounded. */
  decisions(): readonly EvictionDecision[];
}

export const EVICTION_MANAGER = createToken<EvictionManager>('kubelet.eviction-manager/v1');
