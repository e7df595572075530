export { csiCapabilities } from './csi-capabilities.js';
export type { CsiCapability } from './csi-capabilities.js';
export { TestCsiDriver } from './test-csi-driver.js';
export type { TestCsiDriverOptions, VolumeDefaults } from './test-csi-driver-options.js';
export type { CallLog, CsiCall } from './calls/call-log.js';
export type { PluginFault as CsiFault } from '@podwright/plugin-faults';
export type { CsiFaultMatch, CsiFaults } from './faults/csi-faults.js';
export type { VolumeState } from './volumes/driver-volumes.js';
export type { VolumeKind, VolumeRecord } from './volumes/volume-folder.js';
