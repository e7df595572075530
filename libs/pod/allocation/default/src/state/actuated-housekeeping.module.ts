import { contribution, defineModule, needs, pick, type Needs } from '@podwright/assembly-interface';
import { ACTUATED_RESOURCES } from '@podwright/allocation-interface';
import { HOUSEKEEPING_STEPS, type HousekeepingStep } from '@podwright/sync-loop-interface';

const housekeepingNeeds = needs({ actuated: pick(ACTUATED_RESOURCES, 'removeOrphans') });

/** Drops the actuated resources of pods that nobody wants. */
export const actuatedHousekeepingModule = defineModule({
  name: '@podwright/allocation#state-housekeeping',
  provides: [],
  needs: housekeepingNeeds,
  create: ({ actuated }: Needs<typeof housekeepingNeeds>): HousekeepingStep => ({
    stage: 'actuated',
    failure: 'Failed to remove actuated resources of orphaned pods',
    background: true,
    clean: ({ wanted }) => actuated.removeOrphans(wanted),
  }),
  contributes: [contribution(HOUSEKEEPING_STEPS, (step: HousekeepingStep) => [step])],
});
