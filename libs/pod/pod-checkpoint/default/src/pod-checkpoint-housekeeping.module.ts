import { contribution, defineModule, needs, pick, type Needs } from '@podwright/assembly-interface';
import { POD_CHECKPOINTS } from '@podwright/pod-checkpoint-interface';
import { HOUSEKEEPING_STEPS, type HousekeepingStep } from '@podwright/sync-loop-interface';

const housekeepingNeeds = needs({ checkpoints: pick(POD_CHECKPOINTS, 'podUids', 'remove') });

/** Removes the checkpoints of pods that nobody wants. */
export const podCheckpointHousekeepingModule = defineModule({
  name: '@podwright/pod-checkpoint#housekeeping',
  provides: [],
  needs: housekeepingNeeds,
  create: ({ checkpoints }: Needs<typeof housekeepingNeeds>): HousekeepingStep => ({
    stage: 'last',
    failure: 'Failed removing the checkpoints of orphaned pods',
    // Does not wait: a removal that hangs must not delay the others. The next pass finds what remains.
    clean: ({ wanted }) => {
      for (const uid of checkpoints.podUids()) if (!wanted.has(uid)) void checkpoints.remove(uid);
    },
  }),
  contributes: [contribution(HOUSEKEEPING_STEPS, (step: HousekeepingStep) => [step])],
});
