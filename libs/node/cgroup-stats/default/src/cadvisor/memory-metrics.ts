import type { MemorySample } from '@podwright/cgroup-stats-interface';
import { single, type ContainerMetric, type ContainerValue, type ScrapedCgroup } from './container-metric.js';

/** As upstream, shows 0 for values that a cgroup without the memory controller lacks. */
export const memoryMetrics: readonly ContainerMetric[] = [
  memory('cache', 'gauge', 'Number of bytes of page cache memory.', ({ cache }) => cache),
  memory('rss', 'gauge', 'Size of RSS in bytes.', ({ rss }) => rss),
  memory('kernel_usage', 'gauge', 'Size of kernel memory allocated in bytes.', ({ kernelUsage }) => kernelUsage),
  memory('mapped_file', 'gauge', 'Size of memory mapped files in bytes.', ({ mappedFile }) => mappedFile),
  memory('swap', 'gauge', 'Container swap usage in bytes.', ({ swap }) => swap),
  memory('failcnt', 'counter', 'Number of memory usage hits limits', ({ failCount }) => failCount),
  memory(
    'usage_bytes',
    'gauge',
    'Current memory usage in bytes, including all memory regardless of when it was accessed',
    ({ usage }) => usage,
  ),
  memory('max_usage_bytes', 'gauge', 'Maximum memory usage recorded in bytes', ({ maxUsage }) => maxUsage),
  memory('working_set_bytes', 'gauge', 'Current working set in bytes.', ({ workingSet }) => workingSet),
  memory(
    'total_active_file_bytes',
    'gauge',
    'Current total active file in bytes.',
    ({ totalActiveFile }) => totalActiveFile,
  ),
  memory(
    'total_inactive_file_bytes',
    'gauge',
    'Current total inactive file in bytes.',
    ({ totalInactiveFile }) => totalInactiveFile,
  ),
  {
    name: 'container_memory_failures_total',
    type: 'counter',
    help: 'Cumulative count of memory allocation failures.',
    extraLabels: ['failure_type', 'scope'],
    values: ({ sample }: ScrapedCgroup): readonly ContainerValue[] => {
      const { pageFaults = 0, majorPageFaults = 0 } = sample.memory ?? {};
      // Both scopes show the same number, because libcontainer reads only one.
      return [
        [pageFaults, 'pgfault', 'container'],
        [majorPageFaults, 'pgmajfault', 'container'],
        [pageFaults, 'pgfault', 'hierarchy'],
        [majorPageFaults, 'pgmajfault', 'hierarchy'],
      ];
    },
  },
  single(
    'container_oom_events_total',
    'counter',
    'Count of out of memory events observed for the container',
    ({ sample }) => sample.memory?.oomKills ?? 0,
  ),
];

function memory(
  name: string,
  type: ContainerMetric['type'],
  help: string,
  value: (memory: MemorySample) => number | undefined,
): ContainerMetric {
  return single(
    `container_memory_${name}`,
    type,
    help,
    ({ sample }) => (sample.memory === undefined ? undefined : value(sample.memory)) ?? 0,
  );
}
