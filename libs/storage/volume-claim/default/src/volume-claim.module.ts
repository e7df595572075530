import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { VOLUME_CLAIMS } from '@podwright/volume-interface';
import { ApiVolumeClaims, volumeClaimNeeds } from './api-volume-claims.js';

export const volumeClaimModule = defineModule({
  name: '@podwright/volume-claim',
  provides: [VOLUME_CLAIMS],
  needs: volumeClaimNeeds,
  create: (deps) => new ApiVolumeClaims(deps),
});

/** Creates one without an assembly. */
export const createVolumeClaims = factoryOf(volumeClaimModule);
