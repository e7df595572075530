import type { Pod, Volume } from '@podwright/kube-types';
import type { FsStats, PodStats } from '@podwright/stats-interface';

/** Parts of a pod's disk usage: writable layers of its containers, their logs, volumes on the node's own disk. */
export type DiskPart = 'root' | 'logs' | 'local volumes';

/** What counts, as {@link FsStats} names it. */
export type DiskUnit = 'usedBytes' | 'inodesUsed';

/** Unknown values count as 0. */
export function memoryUsage({ memory }: Pick<PodStats, 'memory'>): number {
  return memory?.workingSetBytes ?? 0;
}

export function processUsage({ process_stats: processes }: Pick<PodStats, 'process_stats'>): number {
  return processes?.process_count ?? 0;
}

/** Sums the given parts. Source: kubernetes v1.36 pkg/kubelet/eviction/helpers.go podDiskUsage. */
export function diskUsage(pod: Pod, stats: PodStats, parts: readonly DiskPart[], unit: DiskUnit): number {
  const used = (files: FsStats | undefined): number => files?.[unit] ?? 0;
  let sum = 0;
  for (const { rootfs, logs } of stats.containers) {
    if (parts.includes('root')) sum += used(rootfs);
    if (parts.includes('logs')) sum += used(logs);
  }
  if (!parts.includes('local volumes')) return sum;
  const volumes = new Map((stats.volume ?? []).map((volume) => [volume.name, volume]));
  for (const volume of pod.spec.volumes ?? []) {
    if (isOnNodeDisk(volume)) sum += used(volumes.get(volume.name));
  }
  return sum;
}

// The second condition is upstream's IsLocalEphemeralVolume (pkg/volume/util/util.go): no secrets, nothing in memory.
function isOnNodeDisk({ hostPath, emptyDir, configMap, gitRepo }: Volume): boolean {
  if (hostPath !== undefined) return true;
  return gitRepo !== undefined || configMap !== undefined || (emptyDir !== undefined && (emptyDir.medium ?? '') === '');
}
