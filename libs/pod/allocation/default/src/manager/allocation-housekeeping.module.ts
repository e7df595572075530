import { contribution, defineModule, needs, pick, type Needs } from '@podwright/assembly-interface';
import { ALLOCATION_MANAGER } from '@podwright/allocation-interface';
import { HOUSEKEEPING_STEPS, type HousekeepingStep } from '@podwright/sync-loop-interface';

const housekeepingNeeds = needs({ allocations: pick(ALLOCATION_MANAGER, 'removeOrphans') });

/** Drops what was allocated to pods that neither a source nor a worker knows. */
export const allocationHousekeepingModule = defineModule({
  name: '@podwright/allocation#housekeeping',
  provides: [],
  needs: housekeepingNeeds,
  create: ({ allocations }: Needs<typeof housekeepingNeeds>): HousekeepingStep => ({
    stage: 'allocations',
    failure: 'Failed removing the allocated resources of orphaned pods',
    clean: ({ known }) => allocations.removeOrphans(known),
  }),
  contributes: [contribution(HOUSEKEEPING_STEPS, (step: HousekeepingStep) => [step])],
});
