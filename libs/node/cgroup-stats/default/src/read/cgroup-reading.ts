import type { CgroupLimits, CgroupSample, CpuSample, MemorySample } from '@podwright/cgroup-stats-interface';

/** What the files of one cgroup say, without what needs a past or other files. */
export interface CgroupReading {
  readonly cpu?: CpuSample;
  readonly memory?: MemorySample;
  readonly io?: NonNullable<CgroupSample['io']>;
  readonly limits: CgroupLimits;
  readonly processes?: NonNullable<CgroupSample['processes']>;
  /** Processes of this very cgroup. */
  readonly pids: readonly number[];
}

export interface ReadOptions {
  /** Also what only `/metrics/cadvisor` shows. */
  readonly full: boolean;
  /** v1: whether the numbers of the cgroups below are in `total_...`. */
  readonly hierarchical: boolean;
}

/** Reads the files of one version. Resolves also for a cgroup that vanishes meanwhile, with what was left. */
export interface CgroupReader {
  read(cgroup: string, options: ReadOptions): Promise<CgroupReading>;
}

/** Processes of another PID namespace are listed as 0. */
export function pidsOf(procs: string | undefined): readonly number[] {
  return (procs ?? '')
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}

/** Drops what is undefined, for types that tell "absent" from "undefined". */
export function present<T extends object>(values: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

/** Upstream's working set: what is in use and not easily given back. */
export function workingSet(usage: number, inactiveFile: number): number {
  return Math.max(0, usage - inactiveFile);
}
