export { createFlexVolumes, flexVolumesModule, flexVolumesNeeds } from './flex-volumes.module.js';
export type { FlexVolumesConfig } from './flex-volumes.module.js';
export type { FlexVolumeProber } from './flex-volume-prober.js';
