import type { ResourceList } from '@podwright/kube-types';
import type { NodeUsage } from './node-usage.js';
import { amountOf, type Amounts } from './pod-share.js';
import type { InsufficientAmount } from './predicate-failure.js';

const first: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];

/**
 * The resources that the node lacks: number of pods, then cpu, memory, storage, then the others by name. Source:
 * kubernetes v1.36 pkg/scheduler/framework/plugins/noderesources/fit.go fitsRequest.
 */
export function insufficientResources(
  needed: Amounts,
  usage: NodeUsage,
  allocatable: ResourceList,
): readonly InsufficientAmount[] {
  const short: InsufficientAmount[] = [];
  const check = (resource: string, requested: bigint, used: bigint): void => {
    const capacity = amountOf(resource, allocatable[resource]);
    if (requested > capacity - used) short.push({ kind: 'resource', resource, requested, used, capacity });
  };
  check('pods', 1n, BigInt(usage.pods));
  // Upstream's order is random (a Go map); sorting by name gives the same answer each time.
  const others = [...needed.keys()].filter((name) => !first.includes(name)).sort();
  for (const name of [...first, ...others]) {
    const requested = needed.get(name);
    if (requested !== undefined) check(name, requested, usage.requested.get(name) ?? 0n);
  }
  return short;
}
