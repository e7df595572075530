import { contribution, defineModule, LOGGER, needs, pick, type Needs } from '@podwright/assembly-interface';
import { MIRROR_POD_CLIENT, POD_MANAGER } from '@podwright/pod-manager-interface';
import { HOUSEKEEPING_STEPS } from '@podwright/sync-loop-interface';
import { OrphanedMirrorPods } from './orphaned-mirror-pods.js';

const orphanedMirrorPodsNeeds = needs({
  client: pick(MIRROR_POD_CLIENT, 'delete'),
  pods: pick(POD_MANAGER, 'getPodOfMirror'),
  logger: LOGGER,
});

/** A module of its own, so that it stays when another module provides the client. */
export const orphanedMirrorPodsModule = defineModule({
  name: '@podwright/pod-manager#housekeeping',
  provides: [],
  needs: orphanedMirrorPodsNeeds,
  create: (deps: Needs<typeof orphanedMirrorPodsNeeds>) => new OrphanedMirrorPods(deps),
  contributes: [contribution(HOUSEKEEPING_STEPS, (step: OrphanedMirrorPods) => [step])],
});
