export { EVICTION_MANAGER } from './eviction-manager.js';
export type { EvictionManager } from './eviction-manager.js';
export type {
  EvictedPod,
  EvictionDecision,
  ObservedSignal,
  ObservedThreshold,
  PodRanking,
  RankedPod,
} from './eviction-decision.js';
