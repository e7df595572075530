import { single, type ContainerMetric } from './container-metric.js';

const states = ['sleeping', 'running', 'stopped', 'uninterruptible', 'iowaiting'] as const;

/**
 * Load and tasks by state, always 0: upstream's kubelet shows these families but never turns on the reader that would
 * fill them (cAdvisor's enable_load_reader).
 */
export const loadMetrics: readonly ContainerMetric[] = [
  single(
    'container_cpu_load_average_10s',
    'gauge',
    'Value of container cpu load average over the last 10 seconds.',
    () => 0,
  ),
  single(
    'container_cpu_load_d_average_10s',
    'gauge',
    'Value of container cpu load.d average over the last 10 seconds.',
    () => 0,
  ),
  {
    name: 'container_tasks_state',
    type: 'gauge',
    help: 'Number of tasks in given state',
    extraLabels: ['state'],
    values: () => states.map((state) => [0, state]),
  },
];
