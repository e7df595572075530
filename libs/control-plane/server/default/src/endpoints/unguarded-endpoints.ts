import { CLOCK, LOGGER, METRICS } from '@podwright/assembly-interface';
import { CADVISOR_METRICS } from '@podwright/cgroup-stats-interface';
import { DEVICE_MANAGER, type DeviceManager } from '@podwright/device-manager-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsSource } from '@podwright/metrics';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { PROBE_METRICS } from '@podwright/probe-interface';
import { KUBELET_PROCESS, type HealthCheck, type KubeletProcess } from '@podwright/server-interface';
import { RESOURCE_METRICS, STATS_PROVIDER, type StatsProvider } from '@podwright/stats-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import { BOOTSTRAP, type Bootstrap } from '@podwright/sync-loop-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import type { Route } from '../route.js';
import { HealthSlis } from './health/health-slis.js';
import { healthzRoutes, ping } from './health/healthz-routes.js';
import { logHealth } from './health/log-health.js';
import { slisRoutes } from './health/slis-routes.js';
import { metricsRoutes } from './metrics-routes.js';
import { podsRoutes } from './pods-routes.js';
import { statsRoutes } from './stats-routes.js';

/** What both the main and the read-only listener serve: health, pods, stats and metrics. */
@injectable()
export class UnguardedEndpoints {
  private readonly slis: HealthSlis;
  private readonly startedMs: number;
  private readonly checks: readonly HealthCheck[];

  constructor(
    @inject(POD_MANAGER) private readonly pods: Pick<PodManager, 'getPods'>,
    @inject(STATUS_MANAGER) private readonly statuses: Pick<StatusManager, 'getPodStatus'>,
    @inject(BOOTSTRAP) bootstrap: Pick<Bootstrap, 'healthy'>,
    @inject(METRICS) private readonly metrics: MetricsSource,
    @inject(CLOCK) clock: Pick<Clock, 'now' | 'monotonic'>,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(KUBELET_PROCESS, { isOptional: true }) kubelet?: Pick<KubeletProcess, 'startedMs' | 'flushLogs'>,
    @inject(PROBE_METRICS, { isOptional: true }) private readonly probeMetrics?: MetricsSource,
    @inject(STATS_PROVIDER, { isOptional: true }) private readonly stats?: Pick<StatsProvider, 'summary'>,
    @inject(RESOURCE_METRICS, { isOptional: true }) private readonly resourceMetrics?: MetricsSource,
    @inject(CADVISOR_METRICS, { isOptional: true }) private readonly cadvisorMetrics?: MetricsSource,
    @inject(DEVICE_MANAGER, { isOptional: true }) devices?: Pick<DeviceManager, 'healthy'>,
  ) {
    this.startedMs = kubelet?.startedMs ?? clock.now() - process.uptime() * 1000;
    this.slis = new HealthSlis(this.startedMs);
    this.checks = [
      ping,
      ...(kubelet === undefined ? [] : [logHealth(() => kubelet.flushLogs(), clock)]),
      { name: 'syncloop', check: () => bootstrap.healthy() },
      ...(devices === undefined ? [] : [{ name: 'device-plugin', check: () => devices.healthy() }]),
    ];
  }

  /** Of the listener that has nothing else: whether the process is there. */
  healthz(): readonly Route[] {
    return healthzRoutes([ping], this.observe);
  }

  /** Without `reset` nothing here has a side effect that anybody could want. */
  routes(options: { readonly reset: boolean }): readonly Route[] {
    const { metrics, probeMetrics, resourceMetrics, cadvisorMetrics, startedMs, stats } = this;
    return [
      ...healthzRoutes(this.checks, this.observe),
      ...slisRoutes(this.slis, startedMs, options),
      ...podsRoutes(this.pods, this.statuses),
      ...(stats === undefined ? [] : statsRoutes(stats, this.logger)),
      ...metricsRoutes({ metrics, probeMetrics, resourceMetrics, cadvisorMetrics, startedMs }),
    ];
  }

  private readonly observe = (name: string, ok: boolean): void => this.slis.observe(name, ok);
}
