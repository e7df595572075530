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
  readonly userNs: number;
  readonly systemNs: number;
  /** Per core, where the hierarchy tells (v1). */
  readonly perCoreNs?: readonly number[];
  /** Nanocores: usage since the reading before this one; undefined at the first. */
  readonly usageNanoCores?: number;
  /** Present when a quota is set. */
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
  readonly maxUsage: number;
  /** Usage without inactive file pages, never below 0. */
  readonly workingSet: number;
  readonly rss: number;
  readonly cache: number;
  readonly swap: number;
  readonly mappedFile: number;
  readonly kernelUsage: number;
  readonly totalActiveFile: number;
  readonly totalInactiveFile: number;
  readonly failCount: number;
  readonly oomEvents: number;
  readonly pageFaults: { readonly own: number; readonly hierarchy: number };
  readonly majorPageFaults: { readonly own: number; readonly hierarchy: number };
  readonly pressure?: Pressure;
}

export interface BlockDeviceSample {
  readonly major: number;
  readonly minor: number;
  /** `/dev/vda`; empty when it has no name. */
  readonly device: string;
  readonly readBytes: number;
  readonly writeBytes: number;
  readonly reads: number;
  readonly writes: number;
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

/** What the cgroup is allowed; undefined = no limit. */
export interface CgroupLimits {
  readonly cpuShares?: number;
  readonly cpuQuotaUs?: number;
  readonly cpuPeriodUs?: number;
  readonly memoryLimit?: number;
  readonly memoryReservation?: number;
  readonly memorySwapLimit?: number;
  readonly pidsLimit?: number;
}

/** One cgroup at one moment. A part whose controller is not there is undefined. */
export interface CgroupSample {
  readonly path: string;
  /** Wall-clock milliseconds since 1970. */
  readonly timeMs: number;
  /** When the cgroup was made. */
  readonly createdMs: number;
  readonly limits: CgroupLimits;
  readonly cpu?: CpuSample;
  readonly memory?: MemorySample;
  readonly io?: { readonly devices: readonly BlockDeviceSample[]; readonly pressure?: Pressure };
  /** Processes, threads, open files and sockets; only where they were counted. */
  readonly processes?: {
    readonly count: number;
    readonly threads: number;
    readonly threadsMax?: number;
    readonly fileDescriptors?: number;
    readonly sockets?: number;
  };
  /** Of the network namespace that belongs to this cgroup: sandboxes, and `/` for the node. */
  readonly network?: readonly NetworkInterfaceSample[];
}
