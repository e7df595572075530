import type { Counter, Histogram, MetricsRegistry } from '@podwright/metrics';

/**
 * Metrics of the calls to credential provider plugins. Source: kubernetes v1.36
 * pkg/credentialprovider/plugin/metrics.go.
 */
export interface PluginMetrics {
  readonly errors: Counter;
  readonly duration: Histogram;
}

/**
 * Registers the metrics. They call `configHash` at each rendering; it returns undefined when no plugins are configured.
 */
export function registerPluginMetrics(metrics: MetricsRegistry, configHash: () => string | undefined): PluginMetrics {
  metrics.computed({
    name: 'kubelet_credential_provider_config_info',
    help: 'Information about the last applied credential provider configuration with hash as label',
    labels: ['hash'],
    type: 'gauge',
    collect: () => {
      const hash = configHash();
      return hash === undefined ? [] : [{ value: 1, labels: { hash } }];
    },
  });
  return {
    errors: metrics.counter({
      name: 'kubelet_credential_provider_plugin_errors_total',
      help: 'Number of errors from credential provider plugin',
      labels: ['plugin_name'],
    }),
    duration: metrics.histogram({
      name: 'kubelet_credential_provider_plugin_duration',
      help: 'Duration of execution in seconds for credential provider plugin',
      labels: ['plugin_name'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
  };
}
