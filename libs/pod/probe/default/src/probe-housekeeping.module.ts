import { contribution, defineModule, needs, pick, type Needs } from '@podwright/assembly-interface';
import { PROBE_MANAGER } from '@podwright/probe-interface';
import { HOUSEKEEPING_STEPS, type HousekeepingStep } from '@podwright/sync-loop-interface';

const housekeepingNeeds = needs({ probes: pick(PROBE_MANAGER, 'cleanupPods') });

/** Stops the probes of pods that have terminated or that no worker knows. */
export const probeHousekeepingModule = defineModule({
  name: '@podwright/probe#housekeeping',
  provides: [],
  needs: housekeepingNeeds,
  create: ({ probes }: Needs<typeof housekeepingNeeds>): HousekeepingStep => ({
    stage: 'probes',
    failure: 'Failed stopping the probes of orphaned pods',
    clean: ({ workers }) =>
      probes.cleanupPods(new Set([...workers].flatMap(([uid, { state }]) => (state === 'terminated' ? [] : [uid])))),
  }),
  contributes: [contribution(HOUSEKEEPING_STEPS, (step: HousekeepingStep) => [step])],
});
