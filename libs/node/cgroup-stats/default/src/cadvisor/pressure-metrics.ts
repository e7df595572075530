import type { CgroupSample, Pressure } from '@podwright/cgroup-stats-interface';
import { single, type ContainerMetric } from './container-metric.js';

const usPerSecond = 1e6;
type Resource = 'cpu' | 'memory' | 'io';

/** Pressure (PSI); only where the kernel reports it. */
export const pressureMetrics: readonly ContainerMetric[] = [
  stalled('cpu', 'CPU', ({ cpu }) => cpu?.pressure),
  waiting('cpu', 'CPU', ({ cpu }) => cpu?.pressure),
  stalled('memory', 'memory', ({ memory }) => memory?.pressure),
  waiting('memory', 'memory', ({ memory }) => memory?.pressure),
  stalled('io', 'IO', ({ io }) => io?.pressure),
  waiting('io', 'IO', ({ io }) => io?.pressure),
];

function stalled(
  resource: Resource,
  word: string,
  pressure: (sample: CgroupSample) => Pressure | undefined,
): ContainerMetric {
  return single(
    `container_pressure_${resource}_stalled_seconds_total`,
    'counter',
    `Total time duration no tasks in the container could make progress due to ${word} congestion.`,
    ({ sample }) => (pressure(sample)?.full.totalUs ?? 0) / usPerSecond,
  );
}

function waiting(
  resource: Resource,
  word: string,
  pressure: (sample: CgroupSample) => Pressure | undefined,
): ContainerMetric {
  return single(
    `container_pressure_${resource}_waiting_seconds_total`,
    'counter',
    `Total time duration tasks in the container have waited due to ${word} congestion.`,
    ({ sample }) => (pressure(sample)?.some.totalUs ?? 0) / usPerSecond,
  );
}
