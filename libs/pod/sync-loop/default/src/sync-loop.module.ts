import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { HEALTH_CHECKS } from '@podwright/server-interface';
import { BOOTSTRAP, SYNC_HANDLER, type Bootstrap } from '@podwright/sync-loop-interface';
import { Housekeeping } from './housekeeping.js';
import { PodHandlers } from './pod-handlers.js';
import { syncLoopConfig, type SyncLoopConfig } from './sync-loop-config.js';
import { syncLoopNeeds, type SyncLoopNeeds } from './sync-loop-needs.js';
import { SyncLoop } from './sync-loop.js';

export const syncLoopModule = defineModule({
  name: '@podwright/sync-loop',
  provides: { handler: SYNC_HANDLER, bootstrap: BOOTSTRAP },
  needs: syncLoopNeeds,
  config: syncLoopConfig,
  create: (deps: SyncLoopNeeds, config: SyncLoopConfig) => {
    const handler = new PodHandlers({ ...deps, housekeeping: new Housekeeping(deps, config) }, config);
    return { handler, bootstrap: new SyncLoop({ ...deps, handler }, config) };
  },
  contributes: [
    contribution(HEALTH_CHECKS, ({ bootstrap }: { readonly bootstrap: Bootstrap }) => [
      { name: 'syncloop', early: true, check: () => bootstrap.healthy() },
    ]),
  ],
});

/** Creates both without an assembly. Throws `invalid-argument` for options out of range. */
export const createSyncLoop = factoryOf(syncLoopModule);
