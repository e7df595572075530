export { describeLinuxResourcesContract } from './linux-resources-contract.js';
export { describePodResizerContract } from './pod-resizer-contract.js';
export type { PodResizerHarness } from './pod-resizer-contract.js';
export { describeContainerRuntimeContract } from './container-runtime-contract.js';
export type { ContainerRuntimeHarness, ContractProgram } from './container-runtime-harness.js';
export { describeRuntimeStateContract } from './runtime-state-contract.js';
export type { RuntimeStateHarness } from './runtime-state-contract.js';
