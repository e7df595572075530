export { describeAdmissionContract } from './admission-contract.js';
export { describeAdmissionHandlersContract } from './admission-handlers-contract.js';
