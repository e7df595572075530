import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../workspace/repository-root.js';

/** A metric of upstream's kubelet, and what this one makes of it. */
export interface MetricRow {
  readonly name: string;
  readonly page: '/metrics' | '/metrics/probes';
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly stability: string;
  /** Sorted. */
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
  /** The package that feeds it; then there is no reason. */
  readonly by?: string;
  /** Why it is not there. */
  readonly missing?: string;
  /** Its package is replaced in simulations, or idle there. */
  readonly notSimulated?: true;
}

/** What `kubelet-metrics.json` says, in the order of the names. */
export function metricSheet(): readonly MetricRow[] {
  const file = path.join(repositoryRoot, 'tools/reference/kubelet-metrics.json');
  return JSON.parse(readFileSync(file, 'utf8')) as readonly MetricRow[];
}
