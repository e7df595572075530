export { describeProbeManagerContract } from './probe-manager-contract.js';
export type { ProbeManagerHarness } from './probe-manager-harness.js';
