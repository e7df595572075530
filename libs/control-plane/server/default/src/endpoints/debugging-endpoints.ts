import { CLOCK, LOGGER, RANDOM } from '@podwright/assembly-interface';
import { CONTAINER_LOGS, type ContainerLogs } from '@podwright/container-logs-interface';
import { CONTAINER_RUNTIME, type ContainerRuntime } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE, type RuntimeService } from '@podwright/cri-client-interface';
import { EVICTION_MANAGER, type EvictionManager } from '@podwright/eviction-interface';
import { IMAGE_PULL_PROGRESS, type ImagePullProgress } from '@podwright/image-interface';
import type { Logger } from '@podwright/logging';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { KUBELET_PROCESS, type KubeletProcess } from '@podwright/server-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import { STREAMING, type Streaming } from '@podwright/streaming-interface';
import { yieldToEventLoop, type Clock, type Random } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import type { Route } from '../route.js';
import { SERVER_CONFIG } from '../server-config.js';
import { checkpointRoutes, type CheckpointRoutesDeps } from './checkpoint-routes.js';
import { configzRoutes } from './configz-routes.js';
import { debugFlagsRoutes } from './debug-flags-routes.js';
import { endpointDisabledRoute } from './disabled-routes.js';
import type { EndpointsConfig } from './endpoints-config.js';
import { evictionsRoutes } from './evictions-routes.js';
import { imagePullsRoutes } from './image-pulls-routes.js';
import { nodeLogsRoutes } from './logs/node-logs-routes.js';
import { createRunProgram } from './logs/run-program.js';
import { pprofRoutes } from './pprof/pprof-routes.js';
import { createV8Profiler } from './pprof/v8-profiler.js';
import { runningPodsRoutes } from './running-pods-routes.js';
import { containerLogsRoutes } from './streams/container-logs-routes.js';
import { runRoutes } from './streams/run-routes.js';
import { streamRoutes } from './streams/stream-routes.js';
import { flagzRoutes } from './zpages/flagz-routes.js';
import { statuszRoutes } from './zpages/statusz-routes.js';

/** What the main listener alone serves, and only with `enableDebuggingHandlers`. A part that is absent has no path. */
@injectable()
export class DebuggingEndpoints {
  constructor(
    @inject(POD_MANAGER) private readonly pods: Pick<PodManager, 'getPodByFullName' | 'translatePodUid'>,
    @inject(STATUS_MANAGER) private readonly statuses: Pick<StatusManager, 'getPodStatus'>,
    @inject(CONTAINER_RUNTIME) private readonly runtime: Pick<ContainerRuntime, 'getPods'>,
    @inject(RUNTIME_SERVICE) private readonly cri: Pick<RuntimeService, 'checkpointContainer'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) private readonly random: Random,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(SERVER_CONFIG) private readonly config: EndpointsConfig,
    @inject(KUBELET_PROCESS, { isOptional: true }) private readonly kubelet?: KubeletProcess,
    @inject(STREAMING, { isOptional: true }) private readonly streaming?: Pick<Streaming, 'serve' | 'run'>,
    @inject(CONTAINER_LOGS, { isOptional: true }) private readonly containerLogs?: ContainerLogs,
    @inject(EVICTION_MANAGER, { isOptional: true })
    private readonly evictions?: Pick<EvictionManager, 'decisions' | 'dryRun'>,
    @inject(IMAGE_PULL_PROGRESS, { isOptional: true }) private readonly imagePulls?: ImagePullProgress,
  ) {}

  /** In upstream's order. `served`: what the listener serves besides, for /statusz. */
  routes(served: readonly Route[]): readonly Route[] {
    const { runtime, random, config, kubelet } = this;
    const routes = [
      ...this.systemRoutes(),
      ...this.containerRoutes(),
      ...(kubelet === undefined ? [] : configzRoutes(kubelet)),
      ...runningPodsRoutes(runtime),
      ...(config.containerCheckpoint ? checkpointRoutes({ ...this.checkpointDeps(), rootDir: config.rootDir }) : []),
      ...(kubelet === undefined || !config.flagz ? [] : flagzRoutes(kubelet, random)),
    ];
    if (kubelet === undefined || !config.statusz) return routes;
    const plainHandlers = [...served, ...routes].filter(({ methods }) => methods === 'any');
    const paths = plainHandlers.map(({ path }) => path);
    return [...routes, ...statuszRoutes({ process: kubelet, clock: this.clock, random, paths })];
  }

  private systemRoutes(): readonly Route[] {
    const { config, clock, random, logger, kubelet, evictions, imagePulls } = this;
    const logs = { root: config.nodeLogDir, enableQuery: config.enableSystemLogQuery, run: createRunProgram() };
    const profiler = createV8Profiler({ clock, yieldTurn: yieldToEventLoop });
    return [
      ...(config.enableSystemLogHandler
        ? nodeLogsRoutes({ ...logs, clock, random, logger })
        : [endpointDisabledRoute('/logs/', 'logs', 'logs')]),
      ...(config.enableProfilingHandler
        ? pprofRoutes({ profiler, commandLine: process.argv })
        : [endpointDisabledRoute('/debug/pprof/', 'debug', 'profiling')]),
      ...(config.enableDebugFlagsHandler
        ? kubelet === undefined
          ? []
          : debugFlagsRoutes(kubelet)
        : [endpointDisabledRoute('/debug/flags/v', 'debug', 'flags')]),
      ...(evictions === undefined ? [] : evictionsRoutes(evictions, logger)),
      ...(imagePulls === undefined ? [] : imagePullsRoutes(imagePulls)),
    ];
  }

  private containerRoutes(): readonly Route[] {
    const { pods, statuses, streaming, containerLogs: logs, config } = this;
    return [
      ...(streaming === undefined ? [] : runRoutes({ pods, streaming })),
      ...(streaming === undefined ? [] : streamRoutes({ pods, streaming })),
      ...(logs === undefined
        ? []
        : containerLogsRoutes({ pods, statuses, logs, splitStreams: config.splitLogStreams })),
    ];
  }

  private checkpointDeps(): Omit<CheckpointRoutesDeps, 'rootDir'> {
    const { pods, runtime, cri, clock } = this;
    return { pods, runtime, cri, clock };
  }
}
