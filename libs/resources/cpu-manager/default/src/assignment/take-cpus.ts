import type { CpuSet } from '@podwright/machine';
import type { CpuTopology } from '../cpu-topology.js';
import type { StaticPolicyOptions } from '../policy/static-policy-options.js';
import { takeDistributed } from './take-distributed.js';
import { takePacked } from './take-packed.js';

/** Chooses CPUs according to the policy's options. Throws `resource-exhausted` when there are not enough. */
export function takeCpus(
  topology: CpuTopology,
  options: StaticPolicyOptions,
  available: CpuSet,
  count: number,
): CpuSet {
  const order = options.distributeAcrossCores ? 'spread' : 'packed';
  if (options.distributeAcrossNuma) {
    const groupSize = options.fullPhysicalCpusOnly ? topology.cpusPerCore : 1;
    return takeDistributed(topology, available, count, groupSize, order);
  }
  return takePacked(topology, available, count, { order, alignByUncoreCache: options.alignByUncoreCache });
}
