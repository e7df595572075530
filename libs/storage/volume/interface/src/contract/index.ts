export { describeVolumeManagerContract } from './volume-manager-contract.js';
export type { VolumeManagerHarness, VolumeManagerParts } from './volume-manager-contract.js';
export { describeVolumePluginContract } from './volume-plugin-contract.js';
export type { VolumePluginHarness } from './volume-plugin-contract.js';
export { describeVolumeClaimsContract } from './volume-claims-contract.js';
export type { VolumeClaimsHarness } from './volume-claims-contract.js';
