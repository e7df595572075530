export { describeContainerEnvironmentContract } from './container-environment-contract.js';
export type { ContainerEnvironmentHarness } from './container-environment-contract.js';
