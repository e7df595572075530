export { describeContainerGcContract } from './container-gc-contract.js';
export type { ContainerGcHarness } from './container-gc-contract.js';
