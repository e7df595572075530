export { PodResourcesClient } from './pod-resources-client.js';
export { describePodResourcesContract } from './pod-resources-contract.js';
export type { PodResourcesHarness } from './pod-resources-contract.js';
