export {
  describeConfigMapManagerContract,
  describeSecretManagerContract,
} from './referenced-object-manager-contract.js';
export type { ReferencedObjectHarness } from './referenced-object-manager-contract.js';
export { describeStandaloneObjectsContract } from './standalone-objects-contract.js';
