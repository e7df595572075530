import {
  CLOCK,
  contribution,
  defineModule,
  factoryOf,
  LOGGER,
  needs,
  RANDOM,
  type Needs,
} from '@podwright/assembly-interface';
import { SERVER_ROUTES, type ServerRoute } from '@podwright/server-interface';
import { nodeLogsConfig, type NodeLogsConfig } from './node-logs-config.js';
import { nodeLogsRoutes } from './node-logs-routes.js';
import { createRunProgram } from './query/run-program.js';

export const nodeLogsNeeds = needs({ clock: CLOCK, random: RANDOM, logger: LOGGER });
export type NodeLogsNeeds = Needs<typeof nodeLogsNeeds>;

export const nodeLogsModule = defineModule({
  name: '@podwright/node-logs',
  provides: [],
  needs: nodeLogsNeeds,
  config: nodeLogsConfig,
  create: (deps: NodeLogsNeeds, { directory, ...config }: NodeLogsConfig) =>
    nodeLogsRoutes({ ...deps, ...config, root: directory, run: createRunProgram() }),
  contributes: [contribution(SERVER_ROUTES, (routes: readonly ServerRoute[]) => routes)],
});
/** Creates the routes without an assembly. Throws `invalid-argument` for options out of range. */
export const createNodeLogsRoutes = factoryOf(nodeLogsModule);
