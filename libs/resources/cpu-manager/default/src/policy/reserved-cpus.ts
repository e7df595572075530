import { KubeletError } from '@podwright/errors';
import { cpuUnion, formatCpuList, isCpuSubset, type CpuSet } from '@podwright/machine';
import { takeCpus } from '../assignment/take-cpus.js';
import { cpusIn, elementsOf, type CpuTopology } from '../cpu-topology.js';
import type { StaticPolicyOptions } from './static-policy-options.js';

export interface CpuReservation {
  /** `reservedSystemCPUs`; empty when it is not set. */
  readonly cpus: CpuSet;
  /** Sum of kubeReserved and systemReserved in thousandths of a CPU; undefined when neither sets CPUs. */
  readonly milli: number | undefined;
}

export interface ReservedCpus {
  readonly cpus: CpuSet;
  /** All CPUs of the cores that contain a reserved one. */
  readonly physical: CpuSet;
}

/**
 * Chooses the reserved CPUs. Throws `failed-precondition` with upstream's text. Source: kubernetes v1.36
 * pkg/kubelet/cm/cpumanager/cpu_manager.go NewManager.
 */
export function reservedCpus(
  topology: CpuTopology,
  options: StaticPolicyOptions,
  reservation: CpuReservation,
): ReservedCpus {
  const count = reservedCount(reservation);
  checkOnline(reservation.cpus, topology.cpus);
  const cpus = reservation.cpus.length > 0 ? reservation.cpus : taken(topology, options, count);
  if (cpus.length !== count)
    throw refused(
      `new static policy error: [cpumanager] unable to reserve the required amount of CPUs (size of ${formatCpuList(cpus)} did not equal ${count})`,
    );
  return { cpus, physical: cpuUnion(cpusIn(topology, 'core', elementsOf(topology, 'core', cpus))) };
}

/**
 * Checks that the reserved CPUs are online; applies to every policy. Throws `failed-precondition`.
 * Source: kubernetes v1.36 cmd/kubelet/app/server.go getReservedCPUs.
 */
export function checkOnline(reserved: CpuSet, online: CpuSet): void {
  if (isCpuSubset(reserved, online)) return;
  throw refused(`reserved-cpus: ${formatCpuList(reserved)} is not a subset of online-cpus: ${formatCpuList(online)}`);
}

function reservedCount({ cpus, milli }: CpuReservation): number {
  if (cpus.length > 0) return cpus.length;
  if (milli === undefined) throw refused('[cpumanager] unable to determine reserved CPU resources for static policy');
  if (milli === 0)
    throw refused(
      '[cpumanager] the static policy requires systemreserved.cpu + kubereserved.cpu to be greater than zero',
    );
  return Math.ceil(milli / 1000);
}

// With too few CPUs upstream continues with an empty set; the caller's comparison of sizes then fails.
function taken(topology: CpuTopology, options: StaticPolicyOptions, count: number): CpuSet {
  return count > topology.cpus.length ? [] : takeCpus(topology, options, topology.cpus, count);
}

function refused(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
