import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { VOLUME_MANAGER, VOLUMES_IN_USE } from '@podwright/volume-interface';
import { OnDemandVolumeManager } from './on-demand-volume-manager.js';
import { volumeManagerNeeds, type VolumeManagerNeeds } from './volume-manager-needs.js';
import { volumeManagerConfigSchema, type VolumeManagerConfig } from './volume-manager-config.js';

export const volumeManagerModule = defineModule({
  name: '@podwright/volume',
  provides: { manager: VOLUME_MANAGER, inUse: VOLUMES_IN_USE },
  needs: volumeManagerNeeds,
  config: volumeManagerConfigSchema,
  create: (deps, config) => {
    const manager = new OnDemandVolumeManager(deps, config);
    return { manager, inUse: manager.attachments };
  },
});

const createParts = factoryOf(volumeManagerModule);

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export function createVolumeManager(
  deps: VolumeManagerNeeds,
  options?: Partial<VolumeManagerConfig>,
): OnDemandVolumeManager {
  return createParts(deps, options).manager;
}
