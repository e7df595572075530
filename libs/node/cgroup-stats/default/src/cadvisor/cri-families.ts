import {
  MetricType,
  type Metric,
  type MetricDescriptor,
  type PodSandboxMetrics,
} from '@podwright/cri-client-interface';
import type { MetricFamily, MetricPoint } from '@podwright/metrics';

const nsPerMs = 1_000_000n;

/**
 * Metric families that the runtime reports. Skips a metric without a descriptor or with other labels than its
 * descriptor. Source: kubernetes v1.36 pkg/kubelet/metrics/collectors/cri_metrics.go.
 */
export function criFamilies(
  descriptors: readonly MetricDescriptor[],
  pods: readonly PodSandboxMetrics[],
): readonly MetricFamily[] {
  const byName = new Map<string, Metric[]>();
  for (const { metrics, containerMetrics } of pods) {
    for (const metric of [...metrics, ...containerMetrics.flatMap((container) => container.metrics)]) {
      const known = byName.get(metric.name);
      if (known === undefined) byName.set(metric.name, [metric]);
      else known.push(metric);
    }
  }
  return descriptors.flatMap(({ name, help, labelKeys }): readonly MetricFamily[] => {
    const metrics = (byName.get(name) ?? []).filter(({ labelValues }) => labelValues.length === labelKeys.length);
    const [first] = metrics;
    if (first === undefined) return [];
    const type = first.metricType === MetricType.COUNTER ? 'counter' : 'gauge';
    // By the name of the label, as Go's library prints them.
    const keys = labelKeys.map((key, index) => [key, index] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    const points = { [Symbol.iterator]: () => pointsOf(keys, metrics) };
    return [{ name, help: `[INTERNAL] ${help}`, type, points }];
  });
}

/** `keys`: names of the labels, each with the place of its value. */
function* pointsOf(
  keys: readonly (readonly [name: string, place: number])[],
  metrics: readonly Metric[],
): Generator<MetricPoint> {
  for (const { labelValues, value, timestamp } of metrics) {
    const labels = keys.map(([key, place]) => [key, labelValues[place] ?? ''] as const);
    const point = { labels, value: Number(value?.value ?? 0n) };
    // 0: the runtime counted it when it was asked.
    yield timestamp === 0n ? point : { ...point, timestampMs: Number(timestamp / nsPerMs) };
  }
}
