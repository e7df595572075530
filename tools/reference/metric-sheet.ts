import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';

/** A metric of upstream's kubelet and its state in this one. */
export interface MetricRow {
  readonly name: string;
  readonly page: '/metrics' | '/metrics/probes';
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly stability: string;
  /** Sorted. */
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
  /** The package that provides the metric; absent when `missing` has a reason. */
  readonly by?: string;
  /** Why the metric does not exist here. */
  readonly missing?: string;
  /** The package is replaced or idle in simulations. */
  readonly notSimulated?: true;
}

/** The rows of `kubelet-metrics.json`, sorted by name. */
export function metricSheet(): readonly MetricRow[] {
  const file = path.join(repositoryRoot, 'tools/reference/kubelet-metrics.json');
  return JSON.parse(readFileSync(file, 'utf8')) as readonly MetricRow[];
}
