export { ApiVolumeClaims, volumeClaimNeeds } from './api-volume-claims.js';
export type { VolumeClaimNeeds } from './api-volume-claims.js';
export { createVolumeClaims, volumeClaimModule } from './volume-claim.module.js';
