export { describeContainerRuntimeContract } from './container-runtime-contract.js';
export type { ContainerRuntimeHarness, ContractProgram } from './container-runtime-contract.js';
export { describeRuntimeStateContract } from './runtime-state-contract.js';
export type { RuntimeStateHarness } from './runtime-state-contract.js';
