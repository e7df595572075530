export { describeUserNamespacesContract } from './user-namespaces-contract.js';
export type { UserNamespacesHarness } from './user-namespaces-contract.js';
