import type { Logger } from '@podwright/logging';
import type { MetricFamily, MetricPoint, MetricsSource } from '@podwright/metrics';
import { messageOf } from '@podwright/errors';
import type { ContainerStats, CpuStats, MemoryStats, PodStats, Summary, SwapStats } from '@podwright/stats-interface';

export interface ResourceMetricsDeps {
  /** The reduced summary, with unrounded times. */
  readonly summary: () => Promise<Summary>;
  readonly logger: Logger;
  /** Also show deprecated metrics. */
  readonly showHidden: boolean;
}

/**
 * The metrics that metrics-server scrapes. Source: kubernetes v1.36 pkg/kubelet/metrics/collectors/resource_metrics.go.
 */
export function createResourceMetrics({ summary, logger, showHidden }: ResourceMetricsDeps): MetricsSource {
  return {
    gather: async () => {
      let found: Summary | undefined;
      try {
        found = await summary();
      } catch (error) {
        logger.error('Error getting summary for resourceMetric prometheus endpoint', { error: messageOf(error) });
      }
      return [...families(found, showHidden)].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

function* families(summary: Summary | undefined, showHidden: boolean): Iterable<MetricFamily> {
  const failed: MetricPoint = { labels: [], value: summary === undefined ? 1 : 0 };
  const scrapeHelp = '1 if there was an error while getting container metrics, 0 otherwise';
  yield gauge('resource_scrape_error', `[STABLE] ${scrapeHelp}`, [failed]);
  if (showHidden) yield gauge('scrape_error', `[ALPHA] (Deprecated since 1.29.0) ${scrapeHelp}`, [failed]);
  if (summary === undefined) return;
  const { node } = summary;
  const pods = distinctPods(summary.pods);
  const containers = containersOf(pods);
  const seconds = 'Cumulative cpu time consumed by the';
  yield* present([
    counter('node_cpu_usage_seconds_total', `[STABLE] ${seconds} node in core-seconds`, cpuPoint([], node.cpu)),
    gauge(
      'node_memory_working_set_bytes',
      '[STABLE] Current working set of the node in bytes',
      memoryPoint([], node.memory),
    ),
    gauge('node_swap_usage_bytes', swapHelp('swap usage of the node'), swapPoint([], node.swap)),
    counter(
      'container_cpu_usage_seconds_total',
      `[STABLE] ${seconds} container in core-seconds`,
      each(containers, ({ labels, stats }) => cpuPoint(labels, stats.cpu)),
    ),
    gauge(
      'container_memory_working_set_bytes',
      '[STABLE] Current working set of the container in bytes',
      each(containers, ({ labels, stats }) => memoryPoint(labels, stats.memory)),
    ),
    gauge(
      'container_start_time_seconds',
      '[STABLE] Start time of the container since unix epoch in seconds',
      each(containers, ({ labels, stats }) => startPoint(labels, stats)),
    ),
    gauge(
      'container_swap_limit_bytes',
      swapHelp('amount of the container swap limit'),
      each(containers, ({ labels, stats }) => swapLimitPoint(labels, stats.swap)),
    ),
    gauge(
      'container_swap_usage_bytes',
      swapHelp('amount of the container swap usage'),
      each(containers, ({ labels, stats }) => swapPoint(labels, stats.swap)),
    ),
    counter(
      'pod_cpu_usage_seconds_total',
      `[STABLE] ${seconds} pod in core-seconds`,
      each(pods, (pod) => cpuPoint(podLabels(pod), pod.cpu)),
    ),
    gauge(
      'pod_memory_working_set_bytes',
      '[STABLE] Current working set of the pod in bytes',
      each(pods, (pod) => memoryPoint(podLabels(pod), pod.memory)),
    ),
    gauge(
      'pod_swap_usage_bytes',
      swapHelp('amount of the pod swap usage'),
      each(pods, (pod) => swapPoint(podLabels(pod), pod.swap)),
    ),
  ]);
}

type Labels = MetricPoint['labels'];

interface LabelledContainer {
  readonly labels: Labels;
  readonly stats: ContainerStats;
}

function swapHelp(what: string): string {
  return `[ALPHA] Current ${what} in bytes. Reported only on non-windows systems`;
}

function gauge(name: string, help: string, points: Iterable<MetricPoint>): MetricFamily {
  return { name, help, type: 'gauge', points };
}

function counter(name: string, help: string, points: Iterable<MetricPoint>): MetricFamily {
  return { name, help, type: 'counter', points };
}

/** Omits families without a point. */
function* present(all: readonly MetricFamily[]): Iterable<MetricFamily> {
  for (const family of all) if (family.points[Symbol.iterator]().next().done !== true) yield family;
}

function each<T>(items: readonly T[], points: (item: T) => readonly MetricPoint[]): Iterable<MetricPoint> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield* points(item);
    },
  };
}

// In the order in which Go's client prints labels and series. A duplicate name would fail the whole scrape; the last
// pod of a name has the newest sandbox.
function distinctPods(pods: readonly PodStats[]): readonly PodStats[] {
  const byName = new Map(pods.map((pod) => [`${pod.podRef.namespace}\0${pod.podRef.name}`, pod]));
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pod]) => pod);
}

function podLabels({ podRef: { namespace, name } }: PodStats): Labels {
  return [
    ['namespace', namespace],
    ['pod', name],
  ];
}

function containersOf(pods: readonly PodStats[]): readonly LabelledContainer[] {
  const byName = new Map<string, LabelledContainer>();
  for (const pod of pods) {
    const { namespace, name } = pod.podRef;
    for (const stats of pod.containers) {
      const labels: Labels = [['container', stats.name], ...podLabels(pod)];
      byName.set(`${stats.name}\0${namespace}\0${name}`, { labels, stats });
    }
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, container]) => container);
}

function point(labels: Labels, value: number | undefined, time: string | undefined): readonly MetricPoint[] {
  if (value === undefined || time === undefined) return [];
  return [{ labels, value, timestampMs: Date.parse(time) }];
}

function cpuPoint(labels: Labels, cpu: CpuStats | undefined): readonly MetricPoint[] {
  const nanoseconds = cpu?.usageCoreNanoSeconds;
  return point(labels, nanoseconds === undefined ? undefined : nanoseconds / 1e9, cpu?.time);
}

function memoryPoint(labels: Labels, memory: MemoryStats | undefined): readonly MetricPoint[] {
  return point(labels, memory?.workingSetBytes, memory?.time);
}

function swapPoint(labels: Labels, swap: SwapStats | undefined): readonly MetricPoint[] {
  return point(labels, swap?.swapUsageBytes, swap?.time);
}

function swapLimitPoint(labels: Labels, swap: SwapStats | undefined): readonly MetricPoint[] {
  const available = swap?.swapAvailableBytes;
  return point(labels, available === undefined ? undefined : available + (swap?.swapUsageBytes ?? 0), swap?.time);
}

/** Without a timestamp, because the value itself is a time. */
function startPoint(labels: Labels, { startTime }: ContainerStats): readonly MetricPoint[] {
  const startedMs = Date.parse(startTime);
  return startedMs >= 1000 ? [{ labels, value: startedMs / 1000 }] : [];
}
