export { describeAdmissionContract } from './admission-contract.js';
export { describeAdmissionCheckContract } from './admission-check-contract.js';
export type { AdmissionCheckHarness } from './admission-check-contract.js';
