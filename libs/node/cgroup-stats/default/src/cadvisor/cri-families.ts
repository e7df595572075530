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
    const points = { [Symbol.iterator]: () => pointsOf(labelKeys, metrics) };
    return [{ name, help: `[INTERNAL] ${help}`, type, points }];
  });
}

function* pointsOf(labelKeys: readonly string[], metrics: readonly Metric[]): Generator<MetricPoint> {
  for (const { labelValues, value, timestamp } of metrics) {
    const labels = labelKeys.map((key, index) => [key, labelValues[index] ?? ''] as const);
    const point = { labels, value: Number(value?.value ?? 0n) };
    // 0: the runtime counted it when it was asked.
    yield timestamp === 0n ? point : { ...point, timestampMs: Number(timestamp / nsPerMs) };
  }
}
