export { describeRuntimeClassesContract } from './runtime-classes-contract.js';
export type { RuntimeClassesHarness } from './runtime-classes-contract.js';
