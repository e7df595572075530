export { describeAdmissionContract } from './admission-contract.js';
