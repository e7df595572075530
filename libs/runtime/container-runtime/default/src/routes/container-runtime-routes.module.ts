import {
  booleanField,
  CLOCK,
  contribution,
  defineConfig,
  defineModule,
  factoryOf,
  needs,
  pick,
  stringField,
  type Needs,
} from '@podwright/assembly-interface';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { SERVER_ROUTES, type ServerRoute } from '@podwright/server-interface';
import { checkpointRoutes } from './checkpoint-routes.js';
import { runningPodsRoutes } from './running-pods-routes.js';

export const containerRuntimeRoutesNeeds = needs({
  pods: pick(POD_MANAGER, 'getPodByFullName', 'translatePodUid'),
  runtime: pick(CONTAINER_RUNTIME, 'getPods'),
  cri: pick(RUNTIME_SERVICE, 'checkpointContainer'),
  clock: CLOCK,
});
export type ContainerRuntimeRoutesNeeds = Needs<typeof containerRuntimeRoutesNeeds>;

export interface ContainerRuntimeRoutesConfig {
  /** Feature gate ContainerCheckpoint: serves `/checkpoint`. */
  readonly containerCheckpoint: boolean;
  /** Root directory of the kubelet; checkpoints are written below it. */
  readonly rootDir: string;
}

// A separate module, because it needs the desired pods, which the runtime does not know.
export const containerRuntimeRoutesModule = defineModule({
  name: '@podwright/container-runtime#routes',
  provides: [],
  needs: containerRuntimeRoutesNeeds,
  config: defineConfig<ContainerRuntimeRoutesConfig>({
    containerCheckpoint: booleanField(true),
    rootDir: stringField('/var/lib/kubelet'),
  }),
  create: (
    deps: ContainerRuntimeRoutesNeeds,
    { containerCheckpoint, rootDir }: ContainerRuntimeRoutesConfig,
  ): readonly ServerRoute[] => [
    ...runningPodsRoutes(deps.runtime),
    ...(containerCheckpoint ? checkpointRoutes({ ...deps, rootDir }) : []),
  ],
  contributes: [contribution(SERVER_ROUTES, (routes: readonly ServerRoute[]) => routes)],
});

/** Makes the routes without an assembly. Throws `invalid-argument` for options of the wrong kind. */
export const createContainerRuntimeRoutes = factoryOf(containerRuntimeRoutesModule);
