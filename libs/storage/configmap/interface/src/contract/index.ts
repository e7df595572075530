export { describeConfigMapManagerContract } from './configmap-manager-contract.js';
export type { ConfigMapManagerHarness } from './configmap-manager-contract.js';
