import type { Counter, MetricsRegistry } from '@podwright/metrics';

export type ApiVersion = 'v1' | 'v1alpha1';
export type EndpointName = 'list' | 'get' | 'getAllocatable';

/** Metric names and help texts by endpoint. Source: kubernetes v1.36 pkg/kubelet/metrics/metrics.go. */
const endpoints: Readonly<Record<EndpointName, readonly [requests: string, errors: string, title: string]>> = {
  list: ['kubelet_pod_resources_endpoint_requests_list', 'kubelet_pod_resources_endpoint_errors_list', 'List'],
  get: ['kubelet_pod_resources_endpoint_requests_get', 'kubelet_pod_resources_endpoint_errors_get', 'Get'],
  getAllocatable: [
    'kubelet_pod_resources_endpoint_requests_get_allocatable',
    'kubelet_pod_resources_endpoint_errors_get_allocatable',
    'GetAllocatableResources',
  ],
};

/** Counts calls and errors. */
export class PodResourcesMetrics {
  private readonly total: Counter;
  private readonly requests: Readonly<Record<EndpointName, Counter>>;
  private readonly errors: Readonly<Record<EndpointName, Counter>>;

  constructor(metrics: MetricsRegistry) {
    const counter = (name: string, what: string): Counter =>
      metrics.counter({ name, help: `${what}. Broken down by server api version.`, labels: ['server_api_version'] });
    const requests = (endpoint: EndpointName): Counter => {
      const [name, , title] = endpoints[endpoint];
      return counter(name, `Number of requests to the PodResource ${title} endpoint`);
    };
    const errors = (endpoint: EndpointName): Counter => {
      const [, name, title] = endpoints[endpoint];
      return counter(name, `Number of requests to the PodResource ${title} endpoint which returned error`);
    };
    const total = 'kubelet_pod_resources_endpoint_requests_total';
    this.total = counter(total, 'Cumulative number of requests to the PodResource endpoint');
    this.requests = { list: requests('list'), get: requests('get'), getAllocatable: requests('getAllocatable') };
    this.errors = { list: errors('list'), get: errors('get'), getAllocatable: errors('getAllocatable') };
  }

  /** As upstream, v1alpha1 counts in the total only. */
  request(version: ApiVersion, endpoint: EndpointName): void {
    const labels = { server_api_version: version };
    this.total.increment(labels);
    if (version === 'v1') this.requests[endpoint].increment(labels);
  }

  error(version: ApiVersion, endpoint: EndpointName): void {
    this.errors[endpoint].increment({ server_api_version: version });
  }
}
