import { METRICS } from '@podwright/assembly-interface';
import type { MetricsRegistry } from '@podwright/metrics';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { PROBE_METRICS } from '@podwright/probe-interface';
import type { HealthCheck } from '@podwright/server-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import { BOOTSTRAP, type Bootstrap } from '@podwright/sync-loop-interface';
import { inject, injectable } from 'tsyringe';
import type { Route } from '../route.js';
import { healthzRoutes, ping } from './healthz-routes.js';
import { debuggingDisabledRoutes } from './disabled-routes.js';
import { metricsRoutes } from './metrics-routes.js';
import { podsRoutes } from './pods-routes.js';

/** The endpoints of each listener, in upstream's order. */
@injectable()
export class KubeletEndpoints {
  constructor(
    @inject(POD_MANAGER) private readonly pods: Pick<PodManager, 'getPods'>,
    @inject(STATUS_MANAGER) private readonly statuses: Pick<StatusManager, 'getPodStatus'>,
    @inject(BOOTSTRAP) private readonly bootstrap: Pick<Bootstrap, 'healthy'>,
    @inject(METRICS) private readonly metrics: Pick<MetricsRegistry, 'render'>,
    @inject(PROBE_METRICS, { isOptional: true }) private readonly probeMetrics?: Pick<MetricsRegistry, 'render'>,
  ) {}

  /** Behind authentication. */
  main(): readonly Route[] {
    return [...this.unguarded(), ...debuggingDisabledRoutes()];
  }

  /** Nothing here may have a side effect, or tell secrets: anybody may ask. */
  readOnly(): readonly Route[] {
    return [...this.unguarded(), ...debuggingDisabledRoutes()];
  }

  /** Of the healthz port: alive, and nothing else. */
  healthz(): readonly Route[] {
    return healthzRoutes([ping]);
  }

  private unguarded(): readonly Route[] {
    const checks: readonly HealthCheck[] = [ping, { name: 'syncloop', check: () => this.bootstrap.healthy() }];
    return [
      ...healthzRoutes(checks),
      ...podsRoutes(this.pods, this.statuses),
      ...metricsRoutes(this.metrics, this.probeMetrics),
    ];
  }
}

export interface EndpointsDeps {
  readonly pods: Pick<PodManager, 'getPods'>;
  readonly statuses: Pick<StatusManager, 'getPodStatus'>;
  readonly bootstrap: Pick<Bootstrap, 'healthy'>;
  readonly metrics: Pick<MetricsRegistry, 'render'>;
  /** Served as `/metrics/probes`; without them there is no such path. */
  readonly probeMetrics?: Pick<MetricsRegistry, 'render'>;
}

/** Without DI. */
export function createKubeletEndpoints(deps: EndpointsDeps): KubeletEndpoints {
  const { pods, statuses, bootstrap, metrics, probeMetrics } = deps;
  return new KubeletEndpoints(pods, statuses, bootstrap, metrics, probeMetrics);
}
