import { contribution, defineModule, factoryOf, needs, pick, type Needs } from '@podwright/assembly-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { SERVER_ROUTES, type ServerRoute } from '@podwright/server-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { podsRoutes } from './pods-routes.js';

export const podsRoutesNeeds = needs({
  pods: pick(POD_MANAGER, 'getPods'),
  statuses: pick(STATUS_MANAGER, 'getPodStatus'),
});
export type PodsRoutesNeeds = Needs<typeof podsRoutesNeeds>;

// A module of its own: the status manager, whose statuses the list shows, needs the pod manager.
export const podsRoutesModule = defineModule({
  name: '@podwright/pod-manager#routes',
  provides: [],
  needs: podsRoutesNeeds,
  create: ({ pods, statuses }: PodsRoutesNeeds) => podsRoutes(pods, statuses),
  contributes: [contribution(SERVER_ROUTES, (routes: readonly ServerRoute[]) => routes)],
});

/** Creates the routes without an assembly. */
export const createPodsRoutes = factoryOf(podsRoutesModule);
