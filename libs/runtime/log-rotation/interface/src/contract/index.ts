export { describeLogRotationContract } from './log-rotation-contract.js';
export type { LogRotationHarness } from './log-rotation-contract.js';
