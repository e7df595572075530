import { parseCpuList } from '@podwright/kubelet-configuration';
import type { CgroupValues } from '../cgroup-values.js';
import type { UnitProperty } from './systemd-units.js';

/** systemd's infinity. */
const infinity = 2n ** 64n - 1n;
const defaultPeriodUs = 100_000;
const usPerSecond = 1_000_000;
// systemd keeps quotas as whole percents of a CPU.
const usPerPercent = 10_000;
/** The first versions of systemd that know a property. */
const quotaPeriodVersion = 242;
const allowedCpusVersion = 244;

const unifiedNames: Readonly<Record<string, string>> = {
  'memory.high': 'MemoryHigh',
  'memory.low': 'MemoryLow',
  'memory.min': 'MemoryMin',
  'memory.max': 'MemoryMax',
  'memory.swap.max': 'MemorySwapMax',
  'pids.max': 'TasksMax',
};

/**
 * Properties of a new slice. Its parent is only `Wants`: the slice's name already gives its position. Source:
 * opencontainers/cgroups v0.0.6 systemd/v1.go, systemd/v2.go Apply.
 */
export function newSliceProperties(unit: string, parent: string, version: 1 | 2): readonly UnitProperty[] {
  const on = (name: string): UnitProperty => ({ name, type: 'b', value: true });
  return [
    { name: 'Description', type: 's', value: `libcontainer container ${unit}` },
    { name: 'Wants', type: 'as', value: [parent] },
    on('MemoryAccounting'),
    on('CPUAccounting'),
    on(version === 1 ? 'BlockIOAccounting' : 'IOAccounting'),
    on('TasksAccounting'),
    { name: 'DefaultDependencies', type: 'b', value: false },
  ];
}

/**
 * Rounds the quota up to whole percents of a CPU, as systemd does. The file must have the same value, or the kernel
 * might refuse a container the quota of its pod. Unchanged without a quota.
 */
export function roundedQuota(values: CgroupValues): CgroupValues {
  const { cpuQuotaUs = 0, cpuPeriodUs = 0 } = values;
  if (cpuQuotaUs <= 0) return values;
  const periodUs = cpuPeriodUs === 0 ? defaultPeriodUs : cpuPeriodUs;
  const perSecondUs = Math.trunc((cpuQuotaUs * usPerSecond) / periodUs);
  if (perSecondUs % usPerPercent === 0) return values;
  const roundedUs = (Math.trunc(perSecondUs / usPerPercent) + 1) * usPerPercent;
  return { ...values, cpuQuotaUs: Math.trunc((roundedUs * periodUs) / usPerSecond) };
}

/**
 * The values that systemd manages; it would undo values that are only in the files. Omits values of 0. Source:
 * opencontainers/cgroups v0.0.6 systemd/v1.go genV1ResourcesProperties, systemd/v2.go genV2ResourcesProperties.
 */
export function valueProperties(
  values: CgroupValues,
  version: 1 | 2,
  systemdVersion: number,
  weightOf: (shares: number) => number,
): readonly UnitProperty[] {
  const { memoryLimitBytes = 0, cpuShares = 0, pidsLimit, cpus = '', unified = {} } = values;
  const properties: UnitProperty[] = [];
  const add = (name: string, value: bigint): void => void properties.push({ name, type: 't', value });
  if (memoryLimitBytes !== 0) add(version === 1 ? 'MemoryLimit' : 'MemoryMax', limitOf(memoryLimitBytes));
  if (cpuShares !== 0) {
    if (version === 1) add('CPUShares', BigInt(cpuShares));
    else add('CPUWeight', BigInt(weightOf(cpuShares)));
  }
  addQuota(values, systemdVersion, add);
  // systemd refuses 0.
  if (pidsLimit !== undefined) add('TasksMax', pidsLimit === 0 ? 1n : limitOf(pidsLimit));
  if (cpus !== '' && systemdVersion >= allowedCpusVersion)
    properties.push({ name: 'AllowedCPUs', type: 'ay', value: cpuMask(parseCpuList(cpus)) });
  for (const [file, text] of version === 1 ? [] : Object.entries(unified)) {
    const name = unifiedNames[file];
    if (name !== undefined) add(name, text === 'max' ? infinity : BigInt(text));
  }
  return properties;
}

function addQuota(
  { cpuQuotaUs = 0, cpuPeriodUs = 0 }: CgroupValues,
  systemdVersion: number,
  add: (name: string, value: bigint) => void,
): void {
  if (cpuPeriodUs !== 0 && systemdVersion >= quotaPeriodVersion) add('CPUQuotaPeriodUSec', BigInt(cpuPeriodUs));
  if (cpuQuotaUs === 0 && cpuPeriodUs === 0) return;
  const periodUs = cpuPeriodUs === 0 ? defaultPeriodUs : cpuPeriodUs;
  const perSecondUs = Math.ceil((cpuQuotaUs * usPerSecond) / periodUs / usPerPercent) * usPerPercent;
  add('CPUQuotaPerSecUSec', cpuQuotaUs > 0 ? BigInt(perSecondUs) : infinity);
}

function limitOf(value: number): bigint {
  return value < 0 ? infinity : BigInt(value);
}

/** One bit per CPU, the lowest CPUs in the first byte. */
function cpuMask(cpus: readonly number[]): Buffer {
  const mask = Buffer.alloc(Math.floor(Math.max(0, ...cpus) / 8) + 1);
  for (const cpu of cpus) mask[cpu >> 3] = (mask[cpu >> 3] ?? 0) | (1 << (cpu & 7));
  return mask;
}
