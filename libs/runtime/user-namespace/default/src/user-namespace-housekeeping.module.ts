import { contribution, defineModule, needs, pick, type Needs } from '@podwright/assembly-interface';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';
import { HOUSEKEEPING_STEPS, type HousekeepingStep } from '@podwright/sync-loop-interface';

const housekeepingNeeds = needs({ users: pick(USER_NAMESPACES, 'releaseOrphans') });

/** Releases the ranges of users of pods that nobody wants, before their directories go: the file in there names the range. */
export const userNamespaceHousekeepingModule = defineModule({
  name: '@podwright/user-namespace#housekeeping',
  provides: [],
  needs: housekeepingNeeds,
  create: ({ users }: Needs<typeof housekeepingNeeds>): HousekeepingStep => ({
    stage: 'users',
    failure: 'Failed cleaning up orphaned pod user namespaces allocations',
    clean: ({ searching, wanted }) => (searching ? users.releaseOrphans(wanted) : undefined),
  }),
  contributes: [contribution(HOUSEKEEPING_STEPS, (step: HousekeepingStep) => [step])],
});
