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
  /** Nanoseconds of CPU time since the cgroup was made. */
  readonly usageNs: number;
  /** Nanocores: usage since an earlier reading of the last ten minutes; undefined at the first. */
  readonly usageNanoCores?: number;
  /** Full readings only, as all below but `pressure`. */
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
  /** Full readings only, as all below. */
  readonly maxUsage?: number;
  /** v1; 0 on v2, as upstream has it. */
  readonly kernelUsage?: number;
  /** Times the limit was hit, v1; 0 on v2, as upstream has it. */
  readonly failCount?: number;
  /** Processes of this very cgroup that the kernel killed for want of memory, since it was made. */
  readonly oomKills?: number;
}

/** Counts by the kernel's word: `Read`, `Write`, and on v1 also `Sync`, `Async`, `Discard`, `Total`. */
export type OperationCounts = Readonly<Record<string, number>>;

/** What a cgroup and all below it did with a block device. A table is absent where the kernel does not keep it. */
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
  /** Of the controller `io.cost`, in microseconds. */
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

/** What the cgroup is allowed; undefined = no limit, or not looked at. */
export interface CgroupLimits {
  /** Of `/` the memory and the swap of the machine. */
  readonly memoryLimit?: number;
  /** As the kernel counts it: memory and swap together on v1, swap alone on v2; 0 where it does not count swap. */
  readonly memorySwapLimit?: number;
  /** Full readings only, as all below. 0 where the kernel has no such value, as for `/` on v2. */
  readonly cpuShares?: number;
  readonly cpuQuotaUs?: number;
  readonly cpuPeriodUs?: number;
  readonly memoryReservation?: number;
  readonly pidsLimit?: number;
}

/** One cgroup at one moment. A part whose controller is not there is undefined. */
export interface CgroupSample {
  readonly path: string;
  /** Wall-clock milliseconds since 1970. */
  readonly timeMs: number;
  /** When the cgroup was made, not before the machine was started. */
  readonly createdMs: number;
  readonly limits: CgroupLimits;
  readonly cpu?: CpuSample;
  readonly memory?: MemorySample;
  readonly io?: {
    /** Full readings only. */
    readonly devices?: readonly BlockDeviceSample[];
    readonly pressure?: Pressure;
  };
  /** Those of this very cgroup, not of cgroups below it. */
  readonly processes?: {
    readonly count: number;
    /** Full readings only; with all below it. 0 for `/` on v1. */
    readonly threads?: number;
  };
  /** Without loopback, veth, docker and nerdctl interfaces, in the kernel's order: of `/`, and where it was asked for. */
  readonly network?: readonly NetworkInterfaceSample[];
}
