export { describePreemptionContract } from './preemption-contract.js';
export type { CreatePreemption, PreemptionHarness } from './preemption-contract.js';
