import { contribution, defineModule, needs, pick, type Needs } from '@podwright/assembly-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { HOUSEKEEPING_STEPS, type HousekeepingStep } from '@podwright/sync-loop-interface';

const housekeepingNeeds = needs({ statuses: pick(STATUS_MANAGER, 'removeOrphanedStatuses') });

/** Drops the statuses of pods that neither a source nor a worker knows. */
export const statusHousekeepingModule = defineModule({
  name: '@podwright/status#housekeeping',
  provides: [],
  needs: housekeepingNeeds,
  create: ({ statuses }: Needs<typeof housekeepingNeeds>): HousekeepingStep => ({
    stage: 'statuses',
    failure: 'Failed removing the statuses of orphaned pods',
    clean: ({ known }) => statuses.removeOrphanedStatuses(known),
  }),
  contributes: [contribution(HOUSEKEEPING_STEPS, (step: HousekeepingStep) => [step])],
});
