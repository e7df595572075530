import { KubeletError } from '@podwright/errors';
import { cpuDifference, cpuIntersection, cpuSetsEqual, cpuUnion, formatCpuList, type CpuSet } from '@podwright/machine';
import type { CpuState } from '../state/cpu-state.js';

export interface StateRules {
  readonly all: CpuSet;
  readonly reserved: CpuSet;
  /** Option strict-cpu-reservation. */
  readonly strict: boolean;
}

/**
 * Fills a new state. Throws `failed-precondition` with upstream's text when a stored state does not fit the machine or
 * its reservation. Source: kubernetes v1.36 pkg/kubelet/cm/cpumanager/policy_static.go validateState.
 */
export function checkState(state: CpuState, { all, reserved, strict }: StateRules): void {
  const usable = strict ? cpuDifference(all, reserved) : all;
  const { shared } = state;
  if (shared.length === 0) {
    if (state.assignments().size > 0) throw fault('default cpuset cannot be empty');
    state.setShared(usable);
    return;
  }
  checkReserved(shared, reserved, strict);
  for (const [pod, containers] of state.assignments())
    for (const [container, cpus] of containers)
      if (cpuIntersection(shared, cpus).length > 0)
        throw fault(
          `pod: ${pod}, container: ${container} cpuset: ${quoted(cpus)} overlaps with default cpuset ${quoted(shared)}`,
        );
  const known = cpuUnion(shared, state.assigned(), ...state.podSets().values());
  if (!cpuSetsEqual(known, usable))
    throw fault(`current set of available CPUs ${quoted(usable)} doesn't match with CPUs in state ${quoted(known)}`);
}

function checkReserved(shared: CpuSet, reserved: CpuSet, strict: boolean): void {
  const inside = cpuIntersection(reserved, shared);
  if (strict && inside.length > 0)
    throw fault(`some of strictly reserved cpus: ${quoted(inside)} are present in defaultCpuSet: ${quoted(shared)}`);
  if (!strict && inside.length !== reserved.length)
    throw fault(`not all reserved cpus: ${quoted(reserved)} are present in defaultCpuSet: ${quoted(shared)}`);
}

function quoted(cpus: CpuSet): string {
  return `"${formatCpuList(cpus)}"`;
}

function fault(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
