import {
  compareQuantities,
  formatQuantity,
  goQuote,
  parseQuantity,
  podLimits,
  quantityFromUnits,
  type Pod,
} from '@podwright/kube-types';
import type { PodStats } from '@podwright/stats-interface';

export type LocalStorageSignal = 'emptydirfs.limit' | 'ephemeralpodfs.limit' | 'ephemeralcontainerfs.limit';

export interface ExceededLimit {
  readonly signal: LocalStorageSignal;
  readonly message: string;
}

/** Whether the pod has a limit that {@link exceededLimit} checks; pods without need no measurement. Pure. */
export function hasLocalStorageLimit({ spec }: Pod): boolean {
  const limited = ({ resources }: Pick<Pod['spec'], 'resources'>): boolean =>
    resources?.limits?.['ephemeral-storage'] !== undefined;
  return (
    (spec.volumes ?? []).some(({ emptyDir }) => emptyDir?.sizeLimit !== undefined) ||
    [spec, ...spec.containers, ...(spec.initContainers ?? [])].some(limited)
  );
}

/**
 * The first local storage limit that the pod exceeds: of an emptyDir volume, of the pod, of a container. Pure.
 * `layersElsewhere`: writable layers are not on the kubelet's file system and do not count for containers.
 * Source: kubernetes v1.36 pkg/kubelet/eviction/eviction_manager.go localStorageEviction.
 */
export function exceededLimit(pod: Pod, stats: PodStats, layersElsewhere: boolean): ExceededLimit | undefined {
  return (
    ofEmptyDir(pod, stats) ??
    ofPod(pod, stats) ??
    ofContainer(pod, stats, layersElsewhere ? ['logs'] : ['logs', 'rootfs'])
  );
}

function ofEmptyDir(pod: Pod, stats: PodStats): ExceededLimit | undefined {
  const used = new Map((stats.volume ?? []).map(({ name, usedBytes }) => [name, usedBytes]));
  for (const { name, emptyDir } of pod.spec.volumes ?? []) {
    const usedBytes = used.get(name);
    if (emptyDir?.sizeLimit === undefined || usedBytes === undefined) continue;
    const limit = parseQuantity(emptyDir.sizeLimit);
    if (limit.nano <= 0n || compareQuantities(quantityFromUnits(usedBytes), limit) <= 0) continue;
    const message = `Usage of EmptyDir volume ${goQuote(name)} exceeds the limit ${goQuote(formatQuantity(limit))}. `;
    return { signal: 'emptydirfs.limit', message };
  }
  return undefined;
}

function ofPod(pod: Pod, stats: PodStats): ExceededLimit | undefined {
  const limit = podLimits(pod)['ephemeral-storage'];
  const usedBytes = stats['ephemeral-storage']?.usedBytes ?? 0;
  if (limit === undefined || compareQuantities(quantityFromUnits(usedBytes), limit) <= 0) return undefined;
  const message = `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(limit)}. `;
  return { signal: 'ephemeralpodfs.limit', message };
}

function ofContainer(pod: Pod, stats: PodStats, parts: readonly ('logs' | 'rootfs')[]): ExceededLimit | undefined {
  for (const container of stats.containers) {
    const text = pod.spec.containers.find(({ name }) => name === container.name)?.resources?.limits?.[
      'ephemeral-storage'
    ];
    const limit = text === undefined ? undefined : parseQuantity(text);
    if (limit === undefined || limit.nano === 0n) continue;
    const usedBytes = parts.reduce((sum, part) => sum + (container[part]?.usedBytes ?? 0), 0);
    if (compareQuantities(limit, quantityFromUnits(usedBytes)) >= 0) continue;
    const quoted = goQuote(formatQuantity(limit));
    const message = `Container ${container.name} exceeded its local ephemeral storage limit ${quoted}. `;
    return { signal: 'ephemeralcontainerfs.limit', message };
  }
  return undefined;
}
