import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { absentIs, type HugePageSize, milliCpuToShares } from '@podwright/cgroup-files';
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  quantityFromUnits,
  quantityToMilli,
  quantityToNumber,
  subtractQuantities,
  type Quantity,
  type ResourceAmounts,
} from '@podwright/kube-types';
import { parseCpuList } from '@podwright/kubelet-configuration';
import { formatCpuList, readMachineFacts } from '@podwright/machine';
import type { CgroupValues } from '../cgroup-values.js';
import { hugePageLimits } from '../huge-pages.js';
import type { KubeCgroupConfig } from '../kube-cgroup-config.js';

/** The node's capacity: resources by name, `pid` for processes and threads, and the CPUs that are online. */
export interface NodeCapacity {
  readonly amounts: ResourceAmounts;
  /** Such as `0-3`; empty when the machine does not report it. */
  readonly cpus: string;
}

/**
 * Reads the node's capacity from the kernel.
 * Source: kubernetes v1.36 pkg/kubelet/cadvisor/util.go CapacityFromMachineInfo,
 * pkg/kubelet/stats/pidlimit/pidlimit_linux.go.
 */
export async function readNodeCapacity(hostRoot: string): Promise<NodeCapacity> {
  const read = (file: string): Promise<string> =>
    readFile(path.join(hostRoot, file), 'utf8').then((text) => text.trim(), absentIs(''));
  const [facts, pidMax, threadsMax, online] = await Promise.all([
    readMachineFacts({ hostRoot, rootDir: hostRoot }),
    read('proc/sys/kernel/pid_max'),
    read('proc/sys/kernel/threads-max'),
    read('sys/devices/system/cpu/online'),
  ]);
  const amounts: Record<string, Quantity> = {
    cpu: quantityFromUnits(facts.cores),
    memory: quantityFromUnits(facts.memoryBytes, 'BinarySI'),
  };
  for (const { sizeBytes, pages } of facts.hugePages) {
    const name = `hugepages-${formatQuantity(quantityFromUnits(sizeBytes, 'BinarySI'))}`;
    amounts[name] = quantityFromUnits(sizeBytes * pages, 'BinarySI');
  }
  const pids = [pidMax, threadsMax].filter((text) => text !== '').map(Number);
  if (pids.length > 0) amounts['pid'] = quantityFromUnits(Math.min(...pids));
  return { amounts, cpus: online === '' ? '' : formatCpuList(parseCpuList(online)) };
}

type Reservations = Pick<KubeCgroupConfig, 'systemReserved' | 'kubeReserved' | 'reservedSystemCpus'>;

/** Both reservations as they apply: an explicit CPU list replaces the cpu amounts. */
export function effectiveReservations({ systemReserved, kubeReserved, reservedSystemCpus }: Reservations): {
  readonly system: ResourceAmounts;
  readonly kube: ResourceAmounts;
} {
  const parsed = (list: Readonly<Record<string, string>>): Record<string, Quantity> =>
    Object.fromEntries(Object.entries(list).map(([name, text]) => [name, parseQuantity(text)]));
  const [system, kube] = [parsed(systemReserved), parsed(kubeReserved)];
  if (reservedSystemCpus !== '') {
    system['cpu'] = quantityFromUnits(parseCpuList(reservedSystemCpus).length);
    delete kube['cpu'];
  }
  return { system, kube };
}

/**
 * Capacity minus both reservations, never negative; eviction thresholds are not subtracted. Source: kubernetes v1.36
 * pkg/kubelet/cm/node_container_manager_linux.go getNodeAllocatableAbsoluteImpl.
 */
export function allocatableAmounts(capacity: ResourceAmounts, reservations: Reservations): ResourceAmounts {
  const { system, kube } = effectiveReservations(reservations);
  const none = quantityFromUnits(0);
  return Object.fromEntries(
    Object.entries(capacity).map(([name, amount]) => {
      const rest = subtractQuantities(amount, addQuantities(system[name] ?? none, kube[name] ?? none));
      return [name, rest.nano < 0n ? { nano: 0n, format: rest.format } : rest];
    }),
  );
}

/** Limits of a cgroup that may use the given amounts. Source: as above, getCgroupConfigInternal. */
export function limitValues(
  amounts: ResourceAmounts,
  sizes: readonly HugePageSize[],
  { compressibleOnly = false } = {},
): CgroupValues {
  const { cpu, memory, pid } = amounts;
  return {
    ...(cpu !== undefined && { cpuShares: milliCpuToShares(quantityToMilli(cpu)) }),
    ...(!compressibleOnly && {
      ...(memory !== undefined && { memoryLimitBytes: quantityToNumber(memory) }),
      ...(pid !== undefined && { pidsLimit: quantityToNumber(pid) }),
      hugePageBytes: hugePageLimits(sizes, amounts),
    }),
  };
}
