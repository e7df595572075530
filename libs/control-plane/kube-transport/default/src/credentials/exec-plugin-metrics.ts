import type { MetricsRegistry } from '@podwright/metrics';
import type { ProgramEnd } from '@podwright/program';
import { readCertificate } from '@podwright/x509';
import type { ExecCredential } from './exec-credential.js';

const callStatus: Readonly<Record<ProgramEnd['how'], string>> = {
  exited: 'plugin_execution_error',
  killed: 'plugin_execution_error',
  overflowed: 'plugin_execution_error',
  'not-started': 'plugin_not_found_error',
  aborted: 'client_internal_error',
};
const rotationAgeBuckets = [
  600, 1_800, 3_600, 14_400, 86_400, 604_800, 2_592_000, 7_776_000, 15_552_000, 31_104_000, 124_416_000,
];

/** Metrics of credential plugins. Source: kubernetes v1.36 component-base/metrics/prometheus/restclient/metrics.go. */
export interface ExecPluginMetrics {
  called(end: ProgramEnd): void;
  known(credential: ExecCredential, nowMs: number): void;
}

// A process may have several clients with plugins, but a metric is registered only once.
const shared = new WeakMap<MetricsRegistry, ExecPluginMetrics>();

/** The metrics of this registry. All clients share them; the time to live is that of the newest certificate. */
export function execPluginMetrics(registry: MetricsRegistry, now: () => number): ExecPluginMetrics {
  const known = shared.get(registry) ?? register(registry, now);
  shared.set(registry, known);
  return known;
}

function register(registry: MetricsRegistry, now: () => number): ExecPluginMetrics {
  const calls = registry.counter({
    name: 'rest_client_exec_plugin_call_total',
    help: 'Number of calls to an exec plugin, partitioned by the type of event encountered (no_error, plugin_execution_error, plugin_not_found_error, client_internal_error) and an optional exit code. The exit code will be set to 0 if and only if the plugin call was successful.',
    labels: ['code', 'call_status'],
  });
  const age = registry.histogram({
    name: 'rest_client_exec_plugin_certificate_rotation_age',
    help: 'Histogram of the number of seconds the last auth exec plugin client certificate lived before being rotated. If auth exec plugin client certificates are unused, histogram will contain no data.',
    buckets: rotationAgeBuckets,
  });
  let expiresAtMs: number | undefined;
  let certificate: string | undefined;
  registry.computed({
    name: 'rest_client_exec_plugin_ttl_seconds',
    help: 'Gauge of the shortest TTL (time-to-live) of the client certificate(s) managed by the auth exec plugin. The value is in seconds until certificate expiry (negative if already expired). If auth exec plugins are unused or manage no TLS certificates, the value will be +INF.',
    type: 'gauge',
    collect: () => [{ value: expiresAtMs === undefined ? Number.POSITIVE_INFINITY : (expiresAtMs - now()) / 1000 }],
  });
  return {
    called: (end) => {
      // As in Go, the exit code of a killed process is -1.
      const code = end.how === 'exited' ? end.code : end.how === 'killed' ? -1 : 1;
      calls.increment({ code: String(code), call_status: code === 0 ? 'no_error' : callStatus[end.how] });
    },
    known: ({ pair }, nowMs) => {
      if (pair === undefined || pair.certificate === certificate) return;
      if (certificate !== undefined) age.observe((nowMs - readCertificate(certificate).notBeforeMs) / 1000);
      certificate = pair.certificate;
      expiresAtMs = readCertificate(certificate).notAfterMs;
    },
  };
}
