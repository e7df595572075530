export { createIscsiVolumes, iscsiVolumesModule, iscsiVolumesNeeds } from './iscsi-volumes.module.js';
export type { IscsiVolumesConfig } from './iscsi-volumes.module.js';
