import {
  contribution,
  defineModule,
  factoryOf,
  LOGGER,
  needs,
  optional,
  pick,
  type Needs,
} from '@podwright/assembly-interface';
import { SERVER_ROUTES, type ServerRoute } from '@podwright/server-interface';
import { STATS_PROVIDER } from '@podwright/stats-interface';
import { statsRoutes } from './stats-routes.js';

export const statsRoutesNeeds = needs({
  /** Absent: no routes. */
  stats: optional(pick(STATS_PROVIDER, 'summary')),
  logger: LOGGER,
});
export type StatsRoutesNeeds = Needs<typeof statsRoutesNeeds>;

// A module of its own, so that replacing the stats provider keeps the endpoint.
export const statsRoutesModule = defineModule({
  name: '@podwright/stats#routes',
  provides: [],
  needs: statsRoutesNeeds,
  create: ({ stats, logger }: StatsRoutesNeeds): readonly ServerRoute[] =>
    stats === undefined ? [] : statsRoutes(stats, logger),
  contributes: [contribution(SERVER_ROUTES, (routes: readonly ServerRoute[]) => routes)],
});

/** Creates the routes without an assembly. */
export const createStatsRoutes = factoryOf(statsRoutesModule);
