import type { PodCgroupResources } from '@podwright/cgroup-interface';

/** What one cgroup is set to, for either version; what is absent is left alone. */
export interface CgroupValues extends PodCgroupResources {
  /** Processes and threads; below 0 for no limit. */
  readonly pidsLimit?: number;
  /** Limit in bytes by page size in the kernel's spelling, such as `2MB`. */
  readonly hugePageBytes?: ReadonlyMap<string, bigint>;
  /** CPUs on which anything below may run, such as `0-3`. */
  readonly cpus?: string;
  /** Files of cgroup v2 by name, with their content; nothing of it exists in v1. */
  readonly unified?: Readonly<Record<string, string>>;
}

/** One file of a cgroup to be written. */
export interface CgroupWrite {
  readonly controller: string;
  readonly file: string;
  readonly content: string;
  /** Not all kernels have it. */
  readonly optional?: true;
}

/** Files of cgroup v1, in the order in which the kernel takes them. A value of 0 says nothing and is left out, as upstream does. */
export function v1Writes(values: CgroupValues): readonly CgroupWrite[] {
  const { cpuShares, cpuPeriodUs, cpuQuotaUs, memoryLimitBytes, pidsLimit, hugePageBytes = new Map() } = values;
  return [
    ...cpusWrite(values.cpus),
    ...numberWrite('cpu', 'cpu.shares', cpuShares),
    ...numberWrite('cpu', 'cpu.cfs_period_us', cpuPeriodUs),
    ...numberWrite('cpu', 'cpu.cfs_quota_us', cpuQuotaUs),
    ...numberWrite('memory', 'memory.limit_in_bytes', memoryLimitBytes),
    ...pidsWrite(pidsLimit),
    ...hugePageWrites(hugePageBytes, 'limit_in_bytes'),
  ];
}

/** Files of cgroup v2. Without a period the kernel keeps the one that is set. */
export function v2Writes(values: CgroupValues, weightOf: (shares: number) => number): readonly CgroupWrite[] {
  const { cpuShares = 0, cpuPeriodUs = 0, cpuQuotaUs = 0, memoryLimitBytes = 0, pidsLimit } = values;
  const quota = cpuQuotaUs > 0 ? `${cpuQuotaUs}` : 'max';
  const period = cpuPeriodUs > 0 ? ` ${cpuPeriodUs}` : '';
  return [
    ...cpusWrite(values.cpus),
    ...numberWrite('cpu', 'cpu.weight', cpuShares === 0 ? 0 : weightOf(cpuShares)),
    ...(cpuQuotaUs === 0 && cpuPeriodUs === 0 ? [] : [textWrite('cpu', 'cpu.max', quota + period)]),
    ...(memoryLimitBytes === 0 ? [] : [textWrite('memory', 'memory.max', limitText(memoryLimitBytes))]),
    ...pidsWrite(pidsLimit),
    ...hugePageWrites(values.hugePageBytes ?? new Map(), 'max'),
    ...Object.entries(values.unified ?? {}).map(([file, content]) =>
      textWrite(file.split('.')[0] ?? '', file, content),
    ),
  ];
}

function textWrite(controller: string, file: string, content: string): CgroupWrite {
  return { controller, file, content };
}

function numberWrite(controller: string, file: string, value = 0): readonly CgroupWrite[] {
  return value === 0 ? [] : [textWrite(controller, file, `${value}`)];
}

function cpusWrite(cpus = ''): readonly CgroupWrite[] {
  return cpus === '' ? [] : [textWrite('cpuset', 'cpuset.cpus', cpus)];
}

// A limit of 0 would let nothing start, not even what sets the limit; the runtime library takes it for 1.
function pidsWrite(limit: number | undefined): readonly CgroupWrite[] {
  return limit === undefined ? [] : [textWrite('pids', 'pids.max', limitText(limit === 0 ? 1 : limit))];
}

function hugePageWrites(bytes: ReadonlyMap<string, bigint>, suffix: string): readonly CgroupWrite[] {
  return [...bytes].flatMap(([size, limit]) => [
    textWrite('hugetlb', `hugetlb.${size}.${suffix}`, `${limit}`),
    { ...textWrite('hugetlb', `hugetlb.${size}.rsvd.${suffix}`, `${limit}`), optional: true } as const,
  ]);
}

function limitText(limit: number): string {
  return limit < 0 ? 'max' : `${limit}`;
}
