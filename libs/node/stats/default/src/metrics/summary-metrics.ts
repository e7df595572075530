import type { MetricsRegistry, Sample } from '@podwright/metrics';
import type { PodStats, VolumeStats } from '@podwright/stats-interface';

/** The parts of a summary that the metrics need: a volume behind a claim, and the sizes of logs. */
interface Kept {
  readonly logs: readonly Sample[];
  readonly claims: readonly VolumeStats[];
}

const claimLabels = ['namespace', 'persistentvolumeclaim'];

/**
 * Metrics in the kubelet's registry that show the last summary. A scrape measures nothing itself; it requests a
 * measurement, which the next scrape shows.
 * Source: kubernetes v1.36 pkg/kubelet/metrics/collectors/log_metrics.go, volume_stats.go.
 */
export class SummaryMetrics {
  private kept: Kept = { logs: [], claims: [] };
  private readonly unregister: readonly (() => void)[];

  /** `onScrape` must return at once. */
  constructor(registry: MetricsRegistry, onScrape: () => void) {
    const claims = (key: string, help: string, valueOf: (volume: VolumeStats) => number | undefined): (() => void) =>
      registry.computed({
        type: 'gauge',
        name: `kubelet_volume_stats_${key}`,
        help,
        labels: claimLabels,
        collect: () => claimSamples(this.kept.claims, valueOf),
      });
    this.unregister = [
      registry.onCollect(onScrape),
      registry.computed({
        type: 'gauge',
        name: 'kubelet_container_log_filesystem_used_bytes',
        help: "Bytes used by the container's logs on the filesystem.",
        labels: ['uid', 'namespace', 'pod', 'container'],
        collect: () => this.kept.logs,
      }),
      claims('capacity_bytes', 'Capacity in bytes of the volume', ({ capacityBytes }) => capacityBytes),
      claims('available_bytes', 'Number of available bytes in the volume', ({ availableBytes }) => availableBytes),
      claims('used_bytes', 'Number of used bytes in the volume', ({ usedBytes }) => usedBytes),
      claims('inodes', 'Maximum number of inodes in the volume', ({ inodes }) => inodes),
      claims('inodes_free', 'Number of free inodes in the volume', ({ inodesFree }) => inodesFree),
      claims('inodes_used', 'Number of used inodes in the volume', ({ inodesUsed }) => inodesUsed),
      claims(
        'health_status_abnormal',
        'Abnormal volume health status. The count is either 1 or 0. 1 indicates the volume is unhealthy, 0 indicates volume is healthy',
        ({ volumeHealthStats: health }) => (health === undefined ? undefined : Number(health.abnormal)),
      ),
    ];
  }

  /** Takes the newest full summary. */
  show(pods: readonly PodStats[]): void {
    const logs = pods.flatMap(({ podRef: { uid, namespace, name: pod }, containers }) =>
      containers.flatMap(({ name: container, logs }): Sample[] =>
        logs?.usedBytes === undefined ? [] : [{ value: logs.usedBytes, labels: { uid, namespace, pod, container } }],
      ),
    );
    // One volume per claim: pods that share it would report the same numbers.
    const claims = new Map<string, VolumeStats>();
    for (const volume of pods.flatMap((pod) => pod.volume ?? [])) {
      if (volume.pvcRef === undefined) continue;
      const key = `${volume.pvcRef.namespace}/${volume.pvcRef.name}`;
      if (!claims.has(key)) claims.set(key, volume);
    }
    this.kept = { logs, claims: [...claims.values()] };
  }

  forget(): void {
    this.kept = { logs: [], claims: [] };
  }

  close(): void {
    for (const unregister of this.unregister) unregister();
  }
}

function claimSamples(
  claims: readonly VolumeStats[],
  valueOf: (volume: VolumeStats) => number | undefined,
): readonly Sample[] {
  return claims.flatMap((volume): Sample[] => {
    const value = valueOf(volume);
    if (value === undefined || volume.pvcRef === undefined) return [];
    const { namespace, name } = volume.pvcRef;
    return [{ value, labels: { namespace, persistentvolumeclaim: name } }];
  });
}
