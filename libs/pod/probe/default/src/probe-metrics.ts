import { defaultBuckets, createMetricsRegistry, type Counter, type Histogram, type Labels } from '@podwright/metrics';
import type { MetricsRegistry } from '@podwright/metrics';
import type { ProbeKind } from '@podwright/probe-interface';
import { processStartSeconds } from '@podwright/time';

/** Names of the probe kinds in events and metrics. */
export const kindNames: Readonly<Record<ProbeKind, string>> = {
  liveness: 'Liveness',
  readiness: 'Readiness',
  startup: 'Startup',
};

/** The probed container; `pod` is the pod's name. */
export interface ProbeSeries {
  readonly kind: ProbeKind;
  readonly container: string;
  readonly pod: string;
  readonly podUid: string;
  readonly namespace: string;
}

const resultNames = { success: 'successful', failure: 'failed' } as const;
// A series lives as long as its worker, so the number of containers bounds them.
const maxSeries = 20_000;

/**
 * `prober_*` in a separate registry, as upstream: one series per container would swamp the kubelet's own metrics.
 * Source: kubernetes v1.36 pkg/kubelet/prober/prober_manager.go.
 */
export class ProbeMetrics implements Pick<MetricsRegistry, 'gather' | 'render'> {
  private constructor(
    private readonly registry: MetricsRegistry,
    private readonly results: Counter,
    private readonly durations: Histogram,
  ) {}

  static create(): ProbeMetrics {
    const registry = createMetricsRegistry();
    const startTime = {
      name: 'process_start_time_seconds',
      help: 'Start time of the process since unix epoch in seconds.',
    };
    registry.gauge(startTime).set(processStartSeconds());
    const results = registry.counter({
      name: 'prober_probe_total',
      help: 'Cumulative number of a liveness, readiness or startup probe for a container by result.',
      stability: 'BETA',
      labels: ['probe_type', 'result', 'container', 'pod', 'namespace', 'pod_uid'],
      maxSeries,
    });
    const durations = registry.histogram({
      name: 'prober_probe_duration_seconds',
      help: 'Duration in seconds for a probe response.',
      labels: ['probe_type', 'container', 'pod', 'namespace'],
      buckets: defaultBuckets,
      maxSeries,
    });
    return new ProbeMetrics(registry, results, durations);
  }

  gather(): ReturnType<MetricsRegistry['gather']> {
    return this.registry.gather();
  }

  render(): Promise<string> {
    return this.registry.render();
  }

  /** As upstream, observes the durations of successes only. */
  observe(series: ProbeSeries, result: 'success' | 'failure', seconds: number): void {
    this.results.increment(resultLabels(series, resultNames[result]));
    if (result === 'success') this.durations.observe(seconds, durationLabels(series));
  }

  remove(series: ProbeSeries): void {
    for (const result of ['successful', 'failed', 'unknown']) this.results.remove(resultLabels(series, result));
    this.durations.remove(durationLabels(series));
  }
}

function resultLabels(series: ProbeSeries, result: string): Labels {
  return { ...durationLabels(series), pod_uid: series.podUid, result };
}

function durationLabels({ kind, container, pod, namespace }: ProbeSeries): Labels {
  return { probe_type: kindNames[kind], container, pod, namespace };
}
