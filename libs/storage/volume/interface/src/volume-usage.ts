/** How full a volume is, in bytes and inodes; what is not known is absent. Source: kubernetes v1.36 pkg/volume/volume.go Metrics. */
export interface VolumeUsage {
  readonly availableBytes?: number;
  readonly capacityBytes?: number;
  readonly usedBytes?: number;
  readonly inodes?: number;
  readonly inodesFree?: number;
  readonly inodesUsed?: number;
  /** The driver says that something is wrong with the volume; absent where it does not judge. */
  readonly abnormal?: boolean;
}

/**
 * Where the numbers of a volume come from. `tree`: what lies below its path is counted, on its device only; what is free comes
 * from the file system. `file-system`: the volume is a file system of its own. A function asks the volume's driver; it may
 * take as long as its signal lets it, and rejects when there are no numbers.
 * Source: kubernetes v1.36 pkg/volume/metrics_du.go, metrics_statfs.go.
 */
export type VolumeUsageSource = 'tree' | 'file-system' | ((signal: AbortSignal) => Promise<VolumeUsage>);
