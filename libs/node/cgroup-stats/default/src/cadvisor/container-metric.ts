import type { CgroupSample } from '@podwright/cgroup-stats-interface';
import type { MetricFamily, MetricPoint } from '@podwright/metrics';
import type { OpenFiles } from '../proc/open-files.js';
import type { FileSystemSample } from './file-systems.js';

export type LabelPair = readonly [name: string, value: string];

/** One cgroup as it is shown. */
export interface ScrapedCgroup {
  readonly sample: CgroupSample;
  /** The six that each series has, in the order of their names. */
  readonly labels: readonly LabelPair[];
  readonly openFiles?: OpenFiles;
  /** Soft limit of open files of the first process, -1 without one. */
  readonly openFilesLimit?: number;
  /** Of `/` only. */
  readonly fileSystems?: readonly FileSystemSample[];
}

/** A value, and those of the extra labels. */
export type ContainerValue = readonly [value: number, ...labels: string[]];

/** How one family is made of samples. Source: google/cadvisor v0.56 metrics/prometheus.go. */
export interface ContainerMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  /** Names of labels beside the six. */
  readonly extraLabels?: readonly string[];
  /** Default: when the cgroup was read. */
  readonly timestamp?: 'none' | 'now';
  values(cgroup: ScrapedCgroup): readonly ContainerValue[];
}

/** One value without extra labels. */
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

/** Points are made one by one while they are written. `nowMs` is the time of the scrape. */
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
    for (const [value, ...extra] of metric.values(cgroup)) {
      const labels = extra.length === 0 ? cgroup.labels : merged(cgroup.labels, extraLabels, extra);
      yield timestamp === 'none' ? { labels, value } : { labels, value, timestampMs };
    }
  }
}

/** In the order of the names, as Prometheus' library prints them. */
function merged(
  labels: readonly LabelPair[],
  names: readonly string[],
  values: readonly string[],
): readonly LabelPair[] {
  const extra = names.map((name, index): LabelPair => [name, values[index] ?? '']);
  return [...labels, ...extra].sort(([left], [right]) => (left < right ? -1 : 1));
}
