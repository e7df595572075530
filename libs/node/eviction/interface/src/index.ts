export { EVICTION_MANAGER } from './eviction-manager.js';
export type { EvictionManager } from './eviction-manager.js';
export type { EvictionDecision, ObservedSignal, ObservedThreshold, RankedPod } from './eviction-decision.js';
