import { single, type ContainerMetric, type ContainerValue, type ScrapedCgroup } from './container-metric.js';

const nsPerSecond = 1e9;

type Cfs = NonNullable<NonNullable<ScrapedCgroup['sample']['cpu']>['cfs']>;

/** CPU time, and throttling where there is a quota. As upstream's kubelet, without per-core values. */
export const cpuMetrics: readonly ContainerMetric[] = [
  single(
    'container_cpu_user_seconds_total',
    'counter',
    'Cumulative user cpu time consumed in seconds.',
    ({ sample }) => (sample.cpu?.userNs ?? 0) / nsPerSecond,
  ),
  single(
    'container_cpu_system_seconds_total',
    'counter',
    'Cumulative system cpu time consumed in seconds.',
    ({ sample }) => (sample.cpu?.systemNs ?? 0) / nsPerSecond,
  ),
  {
    name: 'container_cpu_usage_seconds_total',
    type: 'counter',
    help: 'Cumulative cpu time consumed in seconds.',
    extraLabels: ['cpu'],
    values: ({ sample }: ScrapedCgroup): readonly ContainerValue[] => {
      const usageNs = sample.cpu?.usageNs ?? 0;
      return usageNs > 0 ? [[usageNs / nsPerSecond, 'total']] : [];
    },
  },
  cfs('periods_total', 'Number of elapsed enforcement period intervals.', ({ periods }) => periods),
  cfs('throttled_periods_total', 'Number of throttled period intervals.', ({ throttledPeriods }) => throttledPeriods),
  cfs(
    'throttled_seconds_total',
    'Total time duration the container has been throttled.',
    ({ throttledNs }) => throttledNs / nsPerSecond,
  ),
  cfs('burst_periods_total', 'Number of periods when burst occurs.', ({ burstPeriods }) => burstPeriods),
  cfs(
    'burst_seconds_total',
    'Total time duration the container has been bursted.',
    ({ burstNs }) => burstNs / nsPerSecond,
  ),
];

function cfs(name: string, help: string, value: (cfs: Cfs) => number): ContainerMetric {
  return single(`container_cpu_cfs_${name}`, 'counter', help, ({ sample }) => {
    if ((sample.limits.cpuQuotaUs ?? 0) === 0) return undefined;
    return sample.cpu?.cfs === undefined ? 0 : value(sample.cpu.cfs);
  });
}
