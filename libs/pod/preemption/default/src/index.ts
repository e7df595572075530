export { CriticalPodPreemption, preemptionNeeds } from './critical-pod-preemption.js';
export type { PreemptionNeeds } from './critical-pod-preemption.js';
export { createCriticalPodPreemption, preemptionModule } from './critical-pod-preemption.module.js';
export { chooseVictims, isPreemptable } from './choose-victims.js';
export type { Requirements } from './requirements.js';
