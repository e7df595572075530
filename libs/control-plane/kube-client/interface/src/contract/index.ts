export { describeKubeClientContract } from './kube-client-contract.js';
export type { KubeClientHarness } from './kube-client-contract.js';
