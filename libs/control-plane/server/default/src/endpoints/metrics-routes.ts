import type { MetricsRegistry } from '@podwright/metrics';
import type { Route } from '../route.js';

type Source = Pick<MetricsRegistry, 'render'>;

/** `/metrics`, and `/metrics/probes` when somebody probes. */
export function metricsRoutes(metrics: Source, probeMetrics: Source | undefined): readonly Route[] {
  const own = route('/metrics', metrics);
  return probeMetrics === undefined ? [own] : [own, route('/metrics/probes', probeMetrics)];
}

const route = (path: string, source: Source): Route => ({
  path,
  methods: 'any',
  metricPath: path.slice(1),
  handle: async () => ({
    status: 200,
    headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
    body: await source.render(),
  }),
});
