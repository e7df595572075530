import { KubeletError } from '@podwright/errors';
import type { MachineTopology } from '@podwright/machine';
import { countOf, maskOf, nodesOf, type NumaMask } from './numa-mask.js';
import type { TopologyPolicyOptions } from './topology-policy.js';

/** The machine's NUMA nodes, including those without CPUs, and their distances. */
export interface NumaInfo {
  readonly allNodes: NumaMask;
  /** Mean distance over all ordered pairs of the mask's nodes, including each node with itself. */
  averageDistance(mask: NumaMask): number;
}

/**
 * Throws `failed-precondition` with upstream's text when the options do not allow this machine.
 * Source: kubernetes v1.36 pkg/kubelet/cm/topologymanager/numa_info.go.
 */
export function numaInfoOf({ nodes }: MachineTopology, options: TopologyPolicyOptions): NumaInfo {
  if (options.preferClosest && nodes.some(({ distances }) => distances === undefined))
    throw refused('cannot discover NUMA topology: error getting NUMA distances from cadvisor');
  if (nodes.length > options.maxNumaNodes)
    throw refused(`unsupported on machines with more than ${options.maxNumaNodes} NUMA Nodes`);
  const distances = new Map(nodes.map((node) => [node.id, node.distances ?? []]));
  return {
    allNodes: maskOf(nodes.map(({ id }) => id)),
    averageDistance: (mask) => {
      const ids = nodesOf(mask);
      const sum = ids.flatMap((a) => ids.map((b) => distances.get(a)?.[b] ?? 0)).reduce((x, y) => x + y, 0);
      return sum / countOf(mask) ** 2;
    },
  };
}

function refused(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
