import type { MetricsRegistry } from '@podwright/metrics';
import type { Route } from '@podwright/server-interface';

const methods: ReadonlySet<string> = new Set([
  ...['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'TRACE', 'CONNECT'],
]);
// Upstream spells `portforward` in lower case here, so the path `portForward` never counts as long-running.
const longRunning: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'debug']);
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const labels = ['long_running', 'method', 'path', 'server_type'];

/** Which listener; upstream has no `local` and no `loopback`. */
export type ServerType = 'readwrite' | 'readonly' | 'local' | 'loopback';

/** Counts a request of a listener when it begins. Call the returned function when the request has ended. */
export type CountRequest = (method: string, path: string) => (seconds: number) => void;

/**
 * Registers the `kubelet_http_*` metrics. Source: kubernetes v1.36 pkg/kubelet/server/metrics/metrics.go, server.go
 * ServeHTTP.
 */
export function requestMetrics(
  metrics: Pick<MetricsRegistry, 'counter' | 'gauge' | 'histogram'>,
  serverType: ServerType,
  routes: readonly Route[],
): CountRequest {
  const total = metrics.counter({
    name: 'kubelet_http_requests_total',
    help: 'Number of the http requests received since the server started',
    labels,
  });
  const durations = metrics.histogram({
    name: 'kubelet_http_requests_duration_seconds',
    help: 'Duration in seconds to serve http requests',
    labels,
    buckets,
  });
  const inFlight = metrics.gauge({
    name: 'kubelet_http_inflight_requests',
    help: 'Number of the inflight http requests',
    labels,
  });
  const known = new Set(routes.flatMap(({ metricPath }) => metricPath ?? []));
  return (method, path) => {
    const root = rootPath(path);
    const bucket = known.has(root) ? root : 'other';
    const values = {
      long_running: String(longRunning.has(bucket)),
      method: methods.has(method) ? method : 'other',
      path: bucket,
      server_type: serverType,
    };
    total.increment(values);
    inFlight.add(1, values);
    return (seconds) => {
      inFlight.add(-1, values);
      durations.observe(seconds, values);
    };
  };
}

/** The first element of the path, or the first two below `/metrics`. */
function rootPath(path: string): string {
  const [first = '', second] = path.replace(/^\//, '').split('/', 2);
  return first === 'metrics' && second !== undefined ? `${first}/${second}` : first;
}
