import type { MetricsRegistry } from '@podwright/metrics';

/** Result of the check whether a pod may use an image without a pull. */
export type CheckResult = 'credentialPolicyAllowed' | 'credentialRecordFound' | 'mustAuthenticate' | 'error';

export interface PullRecordsFacts {
  readonly intents: { readonly count: () => Promise<number>; readonly usagePercent: () => number };
  readonly records: { readonly count: () => Promise<number>; readonly usagePercent: () => number };
}

/**
 * Registers the metrics; sizes are read at each rendering. The returned function counts one check. Source: kubernetes
 * v1.36 pkg/kubelet/images/pullmanager/metrics.go.
 */
export function registerPullRecordsMetrics(
  metrics: MetricsRegistry,
  { intents, records }: PullRecordsFacts,
): (result: CheckResult) => void {
  const gauges = [
    ['ondisk_pullintents', 'Number of ImagePullIntents stored on disk.', intents.count],
    ['ondisk_pulledrecords', 'Number of ImagePulledRecords stored on disk.', records.count],
    [
      'inmemory_pullintents_usage_percent',
      'The ImagePullIntents in-memory cache usage in percent.',
      intents.usagePercent,
    ],
    [
      'inmemory_pulledrecords_usage_percent',
      'The ImagePulledRecords in-memory cache usage in percent.',
      records.usagePercent,
    ],
  ] as const;
  for (const [name, help, read] of gauges) {
    const gauge = metrics.gauge({ name: `kubelet_imagemanager_${name}`, help });
    metrics.onCollect(async () => gauge.set(await read()));
  }
  const checks = metrics.counter({
    name: 'kubelet_imagemanager_image_mustpull_checks_total',
    help: 'Counter for how many times kubelet checked whether credentials need to be re-verified to access an image',
    labels: ['result'],
  });
  return (result) => checks.increment({ result });
}
