import { createMetricsRegistry, type MetricsSource } from '@podwright/metrics';

/**
 * Records the results of the checks of /healthz as the metrics of `/metrics/slis`. Source: kubernetes v1.36
 * staging/src/k8s.io/component-base/metrics/prometheus/slis.
 */
export class HealthSlis {
  private readonly registry = createMetricsRegistry();
  private readonly healthcheck = this.registry.gauge({
    name: 'kubernetes_healthcheck',
    help: 'This metric records the result of a single healthcheck.',
    labels: ['name', 'type'],
    stability: 'STABLE',
  });
  private readonly healthchecks = this.registry.counter({
    name: 'kubernetes_healthchecks_total',
    help: 'This metric records the results of all healthcheck.',
    labels: ['name', 'status', 'type'],
    stability: 'STABLE',
  });
  private readonly seen = new Map<string, Readonly<Record<'name' | 'status' | 'type', string>>>();

  constructor(processStartSeconds: number) {
    this.registry
      .gauge({
        name: 'process_start_time_seconds',
        help: 'Start time of the process since unix epoch in seconds.',
      })
      .set(processStartSeconds);
  }

  get source(): MetricsSource {
    return this.registry;
  }

  observe(name: string, ok: boolean): void {
    const labels = { name, status: ok ? 'success' : 'error', type: 'healthz' };
    this.healthcheck.set(ok ? 1 : 0, { name, type: labels.type });
    this.healthchecks.increment(labels);
    this.seen.set(`${name} ${labels.status}`, labels);
  }

  /** Clears all metrics but the start time of the process. */
  reset(): void {
    this.healthcheck.clear();
    for (const labels of this.seen.values()) this.healthchecks.remove(labels);
    this.seen.clear();
  }
}
