import type { CgroupSample } from '@podwright/cgroup-stats-interface';
import type { MetricFamily, MetricPoint } from '@podwright/metrics';
import type { OpenFiles } from '../proc/open-files.js';
import type { FileSystemSample } from './file-systems.js';

export type LabelPair = readonly [name: string, value: string];

/** One cgroup as a scrape shows it. */
export interface ScrapedCgroup {
  readonly sample: CgroupSample;
  /** Values of the six labels of each series, in the order of their names. */
  readonly labels: readonly LabelPair[];
  readonly openFiles?: OpenFiles;
  /** Soft limit of open files of the first process; -1 without a limit. */
  readonly openFilesLimit?: number;
  /** For `/` those of the machine, for a container of CRI-O its layer; other cgroups have none. */
  readonly fileSystems?: readonly FileSystemSample[];
}

/** A value, followed by the values of the extra labels. */
export type ContainerValue = readonly [value: number, ...labels: string[]];

/**
 * Describes one metric family and how to compute it from samples. Source: google/cadvisor v0.56 metrics/prometheus.go.
 */
export interface ContainerMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  /** Names of labels besides the six. */
  readonly extraLabels?: readonly string[];
  /** Default: the time at which the cgroup was read. */
  readonly timestamp?: 'none' | 'now';
  /** `nowMs`: the time of the scrape. */
  values(cgroup: ScrapedCgroup, nowMs: number): readonly ContainerValue[];
}

/** A metric with one value and no extra labels. */
export function single(
  name: string,
  type: ContainerMetric['type'],
  help: string,
  value: (cgroup: ScrapedCgroup) => number | undefined,
): ContainerMetric {
  return {
    name,
    type,
    help,
    values: (cgroup) => {
      const found = value(cgroup);
      return found === undefined ? [] : [[found]];
    },
  };
}

/** Yields points one by one while they are written. `nowMs`: the time of the scrape. */
export function containerFamily(
  metric: ContainerMetric,
  cgroups: readonly ScrapedCgroup[],
  nowMs: number,
): MetricFamily {
  const { name, help, type } = metric;
  return { name, help, type, points: { [Symbol.iterator]: () => pointsOf(metric, cgroups, nowMs) } };
}

function* pointsOf(metric: ContainerMetric, cgroups: readonly ScrapedCgroup[], nowMs: number): Generator<MetricPoint> {
  const { extraLabels = [], timestamp } = metric;
  for (const cgroup of cgroups) {
    const timestampMs = timestamp === 'now' ? nowMs : cgroup.sample.timeMs;
    for (const [value, ...extra] of metric.values(cgroup, nowMs)) {
      const labels = extra.length === 0 ? cgroup.labels : merged(cgroup.labels, extraLabels, extra);
      yield timestamp === 'none' ? { labels, value } : { labels, value, timestampMs };
    }
  }
}

/** Merges two label lists, sorted by name as Prometheus' library prints them. */
function merged(
  labels: readonly LabelPair[],
  names: readonly string[],
  values: readonly string[],
): readonly LabelPair[] {
  const extra = names.map((name, index): LabelPair => [name, values[index] ?? '']);
  return [...labels, ...extra].sort(([left], [right]) => (left < right ? -1 : 1));
}
