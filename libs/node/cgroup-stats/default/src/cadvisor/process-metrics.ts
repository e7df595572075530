import { single, type ContainerMetric } from './container-metric.js';

/** Counts the cgroup's own processes, without those of cgroups below it. */
export const processMetrics: readonly ContainerMetric[] = [
  single(
    'container_processes',
    'gauge',
    'Number of processes running inside the container.',
    ({ sample }) => sample.processes?.count ?? 0,
  ),
  single(
    'container_file_descriptors',
    'gauge',
    'Number of open file descriptors for the container.',
    ({ openFiles }) => openFiles?.descriptors ?? 0,
  ),
  single(
    'container_sockets',
    'gauge',
    'Number of open sockets for the container.',
    ({ openFiles }) => openFiles?.sockets ?? 0,
  ),
  single(
    'container_threads_max',
    'gauge',
    'Maximum number of threads allowed inside the container, infinity if value is zero',
    ({ sample }) => sample.limits.pidsLimit ?? 0,
  ),
  single(
    'container_threads',
    'gauge',
    'Number of threads running inside the container',
    ({ sample }) => sample.processes?.threads ?? 0,
  ),
  {
    name: 'container_ulimits_soft',
    type: 'gauge',
    help: 'Soft ulimit values for the container root process. Unlimited if -1, except priority and nice',
    extraLabels: ['ulimit'],
    values: ({ openFilesLimit }) => (openFilesLimit === undefined ? [] : [[openFilesLimit, 'max_open_files']]),
  },
];
