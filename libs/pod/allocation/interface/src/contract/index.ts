export { cpuOf, podAskingFor } from './contract-pod.js';
export { describeAllocationManagerContract } from './allocation-manager-contract.js';
export type { AllocationManagerHarness } from './allocation-manager-contract.js';
export { describeResizeConditionsContract } from './resize-conditions-contract.js';
export type { ResizeConditionsHarness } from './resize-conditions-contract.js';
export { describeResourceStateContract } from './resource-state-contract.js';
export type { ResourceStateHarness } from './resource-state-contract.js';
