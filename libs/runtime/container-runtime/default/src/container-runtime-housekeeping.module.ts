import { contribution, defineModule, needs, pick, type Needs } from '@podwright/assembly-interface';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import { HOUSEKEEPING_STEPS, type HousekeepingStep } from '@podwright/sync-loop-interface';

const housekeepingNeeds = needs({ runtime: pick(CONTAINER_RUNTIME, 'purgeBackOffs') });

/** Purges back-offs that have expired. */
export const containerRuntimeHousekeepingModule = defineModule({
  name: '@podwright/container-runtime#housekeeping',
  provides: [],
  needs: housekeepingNeeds,
  create: ({ runtime }: Needs<typeof housekeepingNeeds>): HousekeepingStep => ({
    stage: 'last',
    failure: 'Failed purging the back-offs of containers',
    clean: () => runtime.purgeBackOffs(),
  }),
  contributes: [contribution(HOUSEKEEPING_STEPS, (step: HousekeepingStep) => [step])],
});
