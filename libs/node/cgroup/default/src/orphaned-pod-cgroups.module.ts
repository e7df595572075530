import { contribution, defineModule, type Needs } from '@podwright/assembly-interface';
import { HOUSEKEEPING_STEPS } from '@podwright/sync-loop-interface';
import { OrphanedPodCgroups, orphanedPodCgroupsNeeds } from './orphaned-pod-cgroups.js';

/** A module of its own, because the volume manager starts after the cgroup manager. */
export const orphanedPodCgroupsModule = defineModule({
  name: '@podwright/cgroup#housekeeping',
  provides: [],
  needs: orphanedPodCgroupsNeeds,
  create: (deps: Needs<typeof orphanedPodCgroupsNeeds>) => new OrphanedPodCgroups(deps),
  contributes: [contribution(HOUSEKEEPING_STEPS, (step: OrphanedPodCgroups) => [step])],
});
