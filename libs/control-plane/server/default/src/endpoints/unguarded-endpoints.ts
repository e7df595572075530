import type { HealthCheck, Route } from '@podwright/server-interface';
import { processStartSeconds } from '@podwright/time';
import type { EndpointsNeeds } from './endpoints-needs.js';
import { healthChecks } from './health/health-checks.js';
import { HealthSlis } from './health/health-slis.js';
import { healthzRoutes, ping } from './health/healthz-routes.js';
import { slisRoutes } from './health/slis-routes.js';
import { metricsRoutes } from './metrics-routes.js';

/** Health and metrics, which both the main and the read-only listener serve. */
export class UnguardedEndpoints {
  private readonly slis: HealthSlis;
  private readonly startedMs: number;
  private readonly checks: readonly HealthCheck[];

  constructor(private readonly deps: EndpointsNeeds) {
    const { kubelet } = deps;
    this.startedMs = kubelet?.startedMs ?? processStartSeconds() * 1000;
    this.slis = new HealthSlis(processStartSeconds());
    this.checks = healthChecks(deps);
  }

  /** The routes of the healthz port: only the check `ping`. */
  healthz(): readonly Route[] {
    return healthzRoutes([ping], this.observe);
  }

  /** `reset`: whether DELETE on `/metrics/slis` clears its metrics. Without it, no route here has a side effect. */
  routes(options: { readonly reset: boolean }): readonly Route[] {
    const { startedMs } = this;
    const { metrics, pages } = this.deps;
    return [
      ...healthzRoutes(this.checks, this.observe),
      ...slisRoutes(this.slis, startedMs, options),
      ...metricsRoutes(metrics, pages, startedMs),
    ];
  }

  private readonly observe = (name: string, ok: boolean): void => this.slis.observe(name, ok);
}
