import {
  booleanField,
  contribution,
  defineConfig,
  defineModule,
  factoryOf,
  needs,
  optional,
  pick,
  type Needs,
} from '@podwright/assembly-interface';
import { CONTAINER_LOGS } from '@podwright/container-logs-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { SERVER_ROUTES, type ServerRoute } from '@podwright/server-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { containerLogsRoutes } from './container-logs-routes.js';

export const containerLogsRoutesNeeds = needs({
  pods: pick(POD_MANAGER, 'getPodByFullName'),
  statuses: pick(STATUS_MANAGER, 'getPodStatus'),
  /** Absent: the module contributes no routes. */
  logs: optional(CONTAINER_LOGS),
});
export type ContainerLogsRoutesNeeds = Needs<typeof containerLogsRoutesNeeds>;

export interface ContainerLogsRoutesConfig {
  /** Feature gate PodLogsQuerySplitStreams. */
  readonly splitLogStreams: boolean;
}

// A separate module, so that replacing container-logs keeps the endpoint.
export const containerLogsRoutesModule = defineModule({
  name: '@podwright/container-logs#routes',
  provides: [],
  needs: containerLogsRoutesNeeds,
  config: defineConfig<ContainerLogsRoutesConfig>({ splitLogStreams: booleanField(false) }),
  create: (
    { logs, ...deps }: ContainerLogsRoutesNeeds,
    { splitLogStreams: splitStreams }: ContainerLogsRoutesConfig,
  ): readonly ServerRoute[] => (logs === undefined ? [] : containerLogsRoutes({ ...deps, logs, splitStreams })),
  contributes: [contribution(SERVER_ROUTES, (routes: readonly ServerRoute[]) => routes)],
});

/** Creates the routes without an assembly. Throws `invalid-argument` for options of the wrong kind. */
export const createContainerLogsRoutes = factoryOf(containerLogsRoutesModule);
