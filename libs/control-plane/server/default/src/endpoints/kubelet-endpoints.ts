import { inject, injectable } from 'tsyringe';
import type { Route } from '../route.js';
import { SERVER_CONFIG } from '../server-config.js';
import { DebuggingEndpoints } from './debugging-endpoints.js';
import { debuggingDisabledRoutes } from './disabled-routes.js';
import type { EndpointsConfig } from './endpoints-config.js';
import type { EndpointsDeps } from './endpoints-deps.js';
import { UnguardedEndpoints } from './unguarded-endpoints.js';

/** The endpoints of each listener, in upstream's order. Source: kubernetes v1.36 pkg/kubelet/server/server.go (NewServer). */
@injectable()
export class KubeletEndpoints {
  constructor(
    @inject(UnguardedEndpoints) private readonly unguarded: Pick<UnguardedEndpoints, 'routes' | 'healthz'>,
    @inject(DebuggingEndpoints) private readonly debugging: Pick<DebuggingEndpoints, 'routes'>,
    @inject(SERVER_CONFIG) private readonly config: Pick<EndpointsConfig, 'enableDebuggingHandlers'>,
  ) {}

  /** Behind authentication. */
  main(): readonly Route[] {
    const unguarded = this.unguarded.routes({ reset: true });
    if (!this.config.enableDebuggingHandlers) return [...unguarded, ...debuggingDisabledRoutes()];
    return [...unguarded, ...this.debugging.routes(unguarded)];
  }

  /** Nothing here may have a side effect, or tell secrets: anybody may ask. */
  readOnly(): readonly Route[] {
    return [...this.unguarded.routes({ reset: false }), ...debuggingDisabledRoutes()];
  }

  /** Of the healthz port: alive, and nothing else. */
  healthz(): readonly Route[] {
    return this.unguarded.healthz();
  }
}

/** Without DI. */
export function createKubeletEndpoints(deps: EndpointsDeps, config: EndpointsConfig): KubeletEndpoints {
  const { pods, statuses, bootstrap, metrics, clock, logger, kubelet, probeMetrics } = deps;
  const {
    stats,
    resourceMetrics,
    cadvisorMetrics,
    runtime,
    cri,
    random,
    streaming,
    containerLogs,
    evictions,
    imagePulls,
    devices,
  } = deps;
  return new KubeletEndpoints(
    new UnguardedEndpoints(
      ...([pods, statuses, bootstrap, metrics, clock, logger, kubelet, probeMetrics, stats] as const),
      resourceMetrics,
      cadvisorMetrics,
      devices,
    ),
    new DebuggingEndpoints(
      ...([pods, statuses, runtime, cri, clock, random, logger, config, kubelet] as const),
      streaming,
      containerLogs,
      evictions,
      imagePulls,
    ),
    config,
  );
}
