import { contribution, defineModule, needs, pick, type Needs } from '@podwright/assembly-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import { HOUSEKEEPING_STEPS, type HousekeepingStep } from '@podwright/sync-loop-interface';

const housekeepingNeeds = needs({ volumes: pick(VOLUME_MANAGER, 'removeOrphanedPodDirs') });

/** Unmounts what pods have that cannot run, and removes their directories. */
export const volumeHousekeepingModule = defineModule({
  name: '@podwright/volume#housekeeping',
  provides: [],
  needs: housekeepingNeeds,
  create: ({ volumes }: Needs<typeof housekeepingNeeds>): HousekeepingStep => ({
    stage: 'directories',
    failure: 'Failed cleaning up orphaned pod directories',
    clean: ({ searching, possiblyRunning }) => (searching ? volumes.removeOrphanedPodDirs(possiblyRunning) : undefined),
  }),
  contributes: [contribution(HOUSEKEEPING_STEPS, (step: HousekeepingStep) => [step])],
});
