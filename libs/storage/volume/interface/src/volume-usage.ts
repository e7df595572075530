/**
 * Usage of a volume in bytes and inodes; unknown values are absent.
 * Source: kubernetes v1.36 pkg/volume/volume.go Metrics.
 */
export interface VolumeUsage {
  readonly availableBytes?: number;
  readonly capacityBytes?: number;
  readonly usedBytes?: number;
  readonly inodes?: number;
  readonly inodesFree?: number;
  readonly inodesUsed?: number;
  /** True when the driver reports a problem with the volume; absent when it reports no health. */
  readonly abnormal?: boolean;
}

/** Numbers that only the volume's driver has. */
export interface MeasuredUsage {
  /** Label `metric_source` of the measurement's duration: the name of the driver. */
  readonly metricSource: string;
  /**
   * May take as long as the signal allows. Rejects when there are no numbers, with `unimplemented` when this driver
   * never has any.
   */
  measure(signal: AbortSignal): Promise<VolumeUsage>;
}

/** A tree whose file system may count for itself. */
export interface QuotaUsage {
  /** Resolves with undefined when the file system does not count; the files are counted then, as for `tree`. */
  quota(signal: AbortSignal): Promise<Pick<VolumeUsage, 'usedBytes' | 'inodesUsed'> | undefined>;
}

/**
 * How to measure a volume. `tree`: count the files below its path, on its device only; free space is that of the file
 * system. `file-system`: the volume is a file system of its own. `block`: the volume is a block device, of which only the
 * size is known. Otherwise a quota or the volume's driver is asked.
 * Source: kubernetes v1.36 pkg/volume/metrics_du.go, metrics_statfs.go, metrics_block.go, csi/csi_metrics.go.
 */
export type VolumeUsageSource = 'tree' | 'file-system' | 'block' | QuotaUsage | MeasuredUsage;
