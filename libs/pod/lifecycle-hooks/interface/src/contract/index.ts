export { describeLifecycleHooksContract } from './lifecycle-hooks-contract.js';
export type { LifecycleHooksHarness } from './lifecycle-hooks-contract.js';
