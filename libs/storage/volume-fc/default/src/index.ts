export { createFcVolumes, fcVolumesModule, fcVolumesNeeds } from './fc-volumes.module.js';
export type { FcVolumesConfig } from './fc-volumes.module.js';
