import { single, type ContainerMetric } from './container-metric.js';

const msPerSecond = 1000;
// The container has no health check of the runtime; Kubernetes probes do not count.
const noHealthCheck = -1;

/** Creation time and limits of a cgroup. Limits have no time stamp; 0 means no limit. */
export const specMetrics: readonly ContainerMetric[] = [
  {
    ...single('container_last_seen', 'gauge', 'Last time a container was seen by the exporter', () => undefined),
    timestamp: 'now',
    values: (_, nowMs) => [[Math.trunc(nowMs / msPerSecond)]],
  },
  single('container_health_state', 'gauge', "The result of the container's health check", () => noHealthCheck),
  spec('container_start_time_seconds', 'Start time of the container since unix epoch in seconds.', ({ createdMs }) =>
    Math.trunc(createdMs / msPerSecond),
  ),
  spec('container_spec_cpu_period', 'CPU period of the container.', ({ limits }) => limits.cpuPeriodUs),
  spec('container_spec_cpu_quota', 'CPU quota of the container.', ({ limits }) => limits.cpuQuotaUs),
  spec('container_spec_cpu_shares', 'CPU share of the container.', ({ limits }) => limits.cpuShares),
  spec(
    'container_spec_memory_limit_bytes',
    'Memory limit for the container.',
    ({ memory, limits }) => memory && (limits.memoryLimit ?? 0),
  ),
  spec(
    'container_spec_memory_swap_limit_bytes',
    'Memory swap limit for the container.',
    ({ memory, limits }) => memory && (limits.memorySwapLimit ?? 0),
  ),
  spec(
    'container_spec_memory_reservation_limit_bytes',
    'Memory reservation limit for the container.',
    ({ memory, limits }) => memory && (limits.memoryReservation ?? 0),
  ),
];

function spec(
  name: string,
  help: string,
  value: (sample: Parameters<ContainerMetric['values']>[0]['sample']) => number | undefined,
): ContainerMetric {
  return { ...single(name, 'gauge', help, ({ sample }) => value(sample)), timestamp: 'none' };
}
