import type { FsStats } from '@podwright/stats-interface';

/** State of the image file system and how much to free, in whole bytes. */
export interface DiskUsage {
  readonly capacityBytes: bigint;
  readonly availableBytes: bigint;
  readonly usagePercent: number;
  /** Bytes to free to reach the low threshold; undefined below the high threshold. May be negative, as upstream's. */
  readonly bytesToFree: bigint | undefined;
}

/**
 * Computes usage in whole numbers, as upstream. Undefined when the capacity is unknown or 0. Source: kubernetes v1.36
 * pkg/kubelet/images/image_gc_manager.go GarbageCollect.
 */
export function diskUsage(
  { capacityBytes = 0, availableBytes = 0 }: Pick<FsStats, 'capacityBytes' | 'availableBytes'>,
  thresholds: { readonly highThresholdPercent: number; readonly lowThresholdPercent: number },
): DiskUsage | undefined {
  const capacity = BigInt(Math.trunc(capacityBytes));
  const told = BigInt(Math.trunc(availableBytes));
  const available = told > capacity ? capacity : told;
  if (capacity === 0n) return undefined;
  const usagePercent = 100 - Number((available * 100n) / capacity);
  const isOver = usagePercent >= thresholds.highThresholdPercent;
  return {
    capacityBytes: capacity,
    availableBytes: available,
    usagePercent,
    bytesToFree: isOver ? (capacity * BigInt(100 - thresholds.lowThresholdPercent)) / 100n - available : undefined,
  };
}
