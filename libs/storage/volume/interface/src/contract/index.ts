export { describeVolumeManagerContract } from './volume-manager-contract.js';
export type { VolumeManagerHarness, VolumeManagerParts } from './volume-manager-contract.js';
