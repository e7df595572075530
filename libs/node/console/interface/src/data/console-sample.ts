/** Use of one pod, all of its containers and its own cgroup. */
export interface PodUse {
  readonly uid: string;
  readonly cpuNanoCores?: number;
  readonly memoryWorkingSetBytes?: number;
}

/** Use of the node and of its pods at one moment. A number that nobody could read is absent. */
export interface ConsoleSample {
  /** Unix milliseconds of the wall clock. */
  readonly atMs: number;
  readonly cpuNanoCores?: number;
  readonly memoryWorkingSetBytes?: number;
  readonly memoryAvailableBytes?: number;
  readonly fsUsedBytes?: number;
  readonly fsCapacityBytes?: number;
  readonly imageFsUsedBytes?: number;
  readonly imageFsCapacityBytes?: number;
  readonly processes?: number;
  readonly networkRxBytesPerSecond?: number;
  readonly networkTxBytesPerSecond?: number;
  /** Share of the last ten seconds in which some task waited, in percent, as the kernel's pressure files say. */
  readonly psiSomeCpu?: number;
  readonly psiSomeMemory?: number;
  readonly psiSomeIo?: number;
  readonly pods: readonly PodUse[];
}
