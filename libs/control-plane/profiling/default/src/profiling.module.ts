import { CLOCK, contribution, defineModule, factoryOf, needs, type Needs } from '@podwright/assembly-interface';
import { SERVER_ROUTES, type ServerRoute } from '@podwright/server-interface';
import { yieldToEventLoop } from '@podwright/time';
import { pprofRoutes } from './pprof-routes.js';
import { profilingConfig, type ProfilingConfig } from './profiling-config.js';
import { createV8Profiler } from './v8-profiler.js';

export const profilingNeeds = needs({ clock: CLOCK });
export type ProfilingNeeds = Needs<typeof profilingNeeds>;

export const profilingModule = defineModule({
  name: '@podwright/profiling',
  provides: [],
  needs: profilingNeeds,
  config: profilingConfig,
  create: ({ clock }: ProfilingNeeds, { enabled }: ProfilingConfig) => {
    const profiler = createV8Profiler({ clock, yieldTurn: yieldToEventLoop });
    return pprofRoutes({ enabled, profiler, commandLine: process.argv });
  },
  contributes: [contribution(SERVER_ROUTES, (routes: readonly ServerRoute[]) => routes)],
});
/** Creates the routes without an assembly. Throws `invalid-argument` for options out of range. */
export const createProfilingRoutes = factoryOf(profilingModule);
