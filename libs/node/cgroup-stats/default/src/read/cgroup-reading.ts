import type { CgroupLimits, CgroupSample, CpuSample, MemorySample } from '@podwright/cgroup-stats-interface';

/** The content of one cgroup's files, without values that need an earlier reading or other files. */
export interface CgroupReading {
  readonly cpu?: CpuSample;
  readonly memory?: MemorySample;
  readonly io?: NonNullable<CgroupSample['io']>;
  readonly limits: CgroupLimits;
  readonly processes?: NonNullable<CgroupSample['processes']>;
  /** The cgroup's own processes. */
  readonly pids: readonly number[];
}

export interface ReadOptions {
  /** Also reads values that only `/metrics/cadvisor` shows. */
  readonly full: boolean;
  /** v1: whether the `total_...` fields include the cgroups below. */
  readonly hierarchical: boolean;
}

/** Reads the files of one cgroup version. For a cgroup that vanishes meanwhile it resolves with what it could read. */
export interface CgroupReader {
  read(cgroup: string, options: ReadOptions): Promise<CgroupReading>;
}

/** The kernel lists processes of another PID namespace as 0. */
export function pidsOf(procs: string | undefined): readonly number[] {
  return (procs ?? '')
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}

/** Removes undefined properties, for types that distinguish absent from undefined. */
export function present<T extends object>(values: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

/** Upstream's working set: usage without the inactive file cache, which is easily reclaimed. */
export function workingSet(usage: number, inactiveFile: number): number {
  return Math.max(0, usage - inactiveFile);
}
