import {
  contribution,
  defineModule,
  factoryOf,
  needs,
  optional,
  pick,
  type Needs,
} from '@podwright/assembly-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { SERVER_ROUTES, type ServerRoute } from '@podwright/server-interface';
import { STREAMING } from '@podwright/streaming-interface';
import { runRoutes } from './run-routes.js';
import { streamRoutes } from './stream-routes.js';

export const streamingRoutesNeeds = needs({
  pods: pick(POD_MANAGER, 'getPodByFullName'),
  /** Absent: the module contributes no routes. */
  streaming: optional(pick(STREAMING, 'prepare', 'serve', 'run')),
});
export type StreamingRoutesNeeds = Needs<typeof streamingRoutesNeeds>;

// A separate module, so that replacing streaming keeps the routes.
export const streamingRoutesModule = defineModule({
  name: '@podwright/streaming#routes',
  provides: [],
  needs: streamingRoutesNeeds,
  create: ({ pods, streaming }: StreamingRoutesNeeds): readonly ServerRoute[] =>
    streaming === undefined ? [] : [...runRoutes({ pods, streaming }), ...streamRoutes({ pods, streaming })],
  contributes: [contribution(SERVER_ROUTES, (routes: readonly ServerRoute[]) => routes)],
});

/** Creates the routes without an assembly. */
export const createStreamingRoutes = factoryOf(streamingRoutesModule);
