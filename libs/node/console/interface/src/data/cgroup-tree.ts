/** One cgroup of the node. */
export interface CgroupRow {
  /** From the root of the hierarchy, `/` for the root itself. */
  readonly path: string;
  /** `namespace/name` of the pod whose cgroup, or whose container's, it is. */
  readonly pod?: string;
  readonly container?: string;
  readonly cpuNanoCores?: number;
  readonly memoryWorkingSetBytes?: number;
  /** Absent when there is none. */
  readonly memoryLimitBytes?: number;
  /** Processes of it and of the cgroups below. */
  readonly pids?: number;
  /** Share of the periods of its CPU quota in which it had to wait, 0 to 1, since the last look; absent without a quota. */
  readonly cpuThrottledRatio?: number;
}

/**
 * Parents before their children; a parent that has no use of its own on the node may be missing. Rates need two looks:
 * the first has none.
 */
export interface CgroupTree {
  readonly atMs: number;
  readonly groups: readonly CgroupRow[];
}
