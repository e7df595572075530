import type { Counter, MetricsRegistry } from '@podwright/metrics';

export type ApiVersion = 'v1' | 'v1alpha1';
export type EndpointName = 'list' | 'get' | 'get_allocatable';

const titles: Readonly<Record<EndpointName, string>> = {
  list: 'List',
  get: 'Get',
  get_allocatable: 'GetAllocatableResources',
};
const byVersion = 'Broken down by server api version.';

/** Counts calls. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
export class PodResourcesMetrics {
  private readonly total: Counter;
  private readonly requests: Readonly<Record<EndpointName, Counter>>;
  private readonly errors: Readonly<Record<EndpointName, Counter>>;

  constructor(metrics: MetricsRegistry) {
    const counter = (name: string, help: string): Counter =>
      metrics.counter({ name: `kubelet_pod_resources_endpoint_${name}`, help, labels: ['server_api_version'] });
    const each = (name: 'requests' | 'errors', suffix: string): Record<EndpointName, Counter> => {
      const one = (endpoint: EndpointName): Counter =>
        counter(
          `${name}_${endpoint}`,
          `Number of requests to the PodResource ${titles[endpoint]} endpoint${suffix}. ${byVersion}`,
        );
      return { list: one('list'), get: one('get'), get_allocatable: one('get_allocatable') };
    };
    this.total = counter('requests_total', `Cumulative number of requests to the PodResource endpoint. ${byVersion}`);
    this.requests = each('requests', '');
    this.errors = each('errors', ' which returned error');
  }

  /** Only the whole is told of v1alpha1, as upstream does. */
  request(version: ApiVersion, endpoint: EndpointName): void {
    const labels = { server_api_version: version };
    this.total.increment(labels);
    if (version === 'v1') this.requests[endpoint].increment(labels);
  }

  error(version: ApiVersion, endpoint: EndpointName): void {
    this.errors[endpoint].increment({ server_api_version: version });
  }
}
