import type { PodCgroupResources } from '@podwright/cgroup-interface';

/** Settings of one cgroup, for both versions; absent values stay unchanged. */
export interface CgroupValues extends PodCgroupResources {
  /** Limit of processes and threads; negative for no limit. */
  readonly pidsLimit?: number;
  /** Limits in bytes by page size in the kernel's spelling, such as `2MB`. */
  readonly hugePageBytes?: ReadonlyMap<string, bigint>;
  /** CPUs that everything in the cgroup may use, such as `0-3`. */
  readonly cpus?: string;
  /** Content of cgroup v2 files by name; v1 ignores it. */
  readonly unified?: Readonly<Record<string, string>>;
}

/** A file of a cgroup and the value to write. */
export interface CgroupWrite {
  readonly controller: string;
  readonly file: string;
  readonly content: string;
  /** Some kernels lack the file. */
  readonly optional?: true;
}

/** Files of cgroup v1, in the order that the kernel accepts. As upstream, omits values of 0. */
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

/** Files of cgroup v2. Without a period the kernel keeps the current one. */
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

// A limit of 0 would let nothing start, not even the process that sets it; as the runtime library, use 1.
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
