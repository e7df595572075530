/** Pressure of one kind, as the kernel prints it. `totalUs` in microseconds, averages in percent. */
export interface PressureLine {
  readonly totalUs: number;
  readonly avg10: number;
  readonly avg60: number;
  readonly avg300: number;
}

export interface Pressure {
  readonly full: PressureLine;
  readonly some: PressureLine;
}

export interface CpuSample {
  /** CPU time since the cgroup was created. */
  readonly usageNs: number;
  /** Average usage since an earlier reading of the last ten minutes, in nanocores; undefined when there is none. */
  readonly usageNanoCores?: number;
  /** Set in full readings only, like all below except `pressure`. */
  readonly userNs?: number;
  readonly systemNs?: number;
  /** All 0 without a quota. */
  readonly cfs?: {
    readonly periods: number;
    readonly throttledPeriods: number;
    readonly throttledNs: number;
    readonly burstPeriods: number;
    readonly burstNs: number;
  };
  readonly pressure?: Pressure;
}

/** Bytes, unless a name says otherwise. */
export interface MemorySample {
  readonly usage: number;
  /** Usage without inactive file pages, never below 0. */
  readonly workingSet: number;
  readonly rss: number;
  readonly cache: number;
  readonly swap: number;
  readonly mappedFile: number;
  readonly totalActiveFile: number;
  readonly totalInactiveFile: number;
  readonly pageFaults: number;
  readonly majorPageFaults: number;
  readonly pressure?: Pressure;
  /** Set in full readings only, like all below. */
  readonly maxUsage?: number;
  /** cgroup v1; 0 on v2, as upstream. */
  readonly kernelUsage?: number;
  /** How often usage reached the limit, on cgroup v1; 0 on v2, as upstream. */
  readonly failCount?: number;
  /** Number of OOM kills in this cgroup, without those below it, since it was created. */
  readonly oomKills?: number;
}

/**
 * Counts by the kernel's name of the operation: `Read`, `Write`, and on v1 also `Sync`, `Async`, `Discard`, `Total`.
 */
export type OperationCounts = Readonly<Record<string, number>>;

/** I/O of a cgroup and all below it on one block device. A table is absent where the kernel does not keep it. */
export interface BlockDeviceSample {
  readonly major: number;
  readonly minor: number;
  /** `/dev/vda`; empty when it has no name. */
  readonly device: string;
  readonly serviceBytes?: OperationCounts;
  readonly serviced?: OperationCounts;
  readonly sectors?: OperationCounts;
  readonly merged?: OperationCounts;
  readonly queued?: OperationCounts;
  readonly serviceTimeNs?: OperationCounts;
  /** From the controller `io.cost`. */
  readonly cost?: {
    readonly usageUs?: number;
    readonly waitUs?: number;
    readonly indebtUs?: number;
    readonly indelayUs?: number;
  };
}

export interface NetworkInterfaceSample {
  readonly name: string;
  readonly rxBytes: number;
  readonly rxPackets: number;
  readonly rxErrors: number;
  readonly rxDropped: number;
  readonly txBytes: number;
  readonly txPackets: number;
  readonly txErrors: number;
  readonly txDropped: number;
}

/** Limits of a cgroup; undefined means no limit, or not read. */
export interface CgroupLimits {
  /** Bytes. For `/`, this is the machine's memory and `memorySwapLimit` the machine's swap. */
  readonly memoryLimit?: number;
  /** Bytes, as the kernel counts: memory plus swap on v1, swap alone on v2; 0 where it does not count swap. */
  readonly memorySwapLimit?: number;
  /** Set in full readings only, like all below. 0 where the kernel has no such value, such as for `/` on v2. */
  readonly cpuShares?: number;
  readonly cpuQuotaUs?: number;
  readonly cpuPeriodUs?: number;
  readonly memoryReservation?: number;
  readonly pidsLimit?: number;
}

/** One reading of one cgroup. A part is undefined where its controller is missing. */
export interface CgroupSample {
  readonly path: string;
  /** Wall-clock milliseconds since 1970. */
  readonly timeMs: number;
  /** Creation time of the cgroup, wall-clock milliseconds since 1970; never before the machine's boot. */
  readonly createdMs: number;
  readonly limits: CgroupLimits;
  readonly cpu?: CpuSample;
  readonly memory?: MemorySample;
  readonly io?: {
    /** Set in full readings only. */
    readonly devices?: readonly BlockDeviceSample[];
    readonly pressure?: Pressure;
  };
  /** Processes of this cgroup, without those below it. */
  readonly processes?: {
    readonly count: number;
    /** Set in full readings only. Includes the cgroups below. 0 for `/` on v1. */
    readonly threads?: number;
  };
  /**
   * Interfaces in the kernel's order, without loopback, veth, docker and nerdctl ones. Set for `/`, and where the
   * caller asked for it.
   */
  readonly network?: readonly NetworkInterfaceSample[];
}
