export { describeContainerRefContract } from './container-ref-contract.js';
export type { ContainerRefHarness } from './container-ref-contract.js';
