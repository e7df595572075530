import 'reflect-metadata'; // tsyringe refuses to load without it

export { createCriticalPodPreemption, CriticalPodPreemption } from './critical-pod-preemption.js';
export type { CriticalPodPreemptionDeps } from './critical-pod-preemption.js';
export { preemptionModule } from './critical-pod-preemption.module.js';
export { chooseVictims, isPreemptable } from './choose-victims.js';
export type { Requirements } from './requirements.js';
