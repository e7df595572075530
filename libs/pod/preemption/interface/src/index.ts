export { PREEMPTION } from './preemption.js';
export type { InsufficientResource, Preemption } from './preemption.js';
