import type { TopologyHint, TopologyHints } from '@podwright/topology-manager-interface';
import { hintLists, mergeHints } from './merge-hints.js';
import type { NumaInfo } from './numa-info.js';
import { countOf, nodesOf } from './numa-mask.js';
import type { TopologyPolicy } from './topology-policy.js';

export interface TopologyDecision {
  readonly hint: TopologyHint;
  readonly admit: boolean;
}

/**
 * Decides whether to admit and with which hint. Source: kubernetes v1.36
 * pkg/kubelet/cm/topologymanager/policy_{best_effort,restricted,single_numa_node}.go.
 */
export function decide(
  policy: TopologyPolicy,
  hints: readonly TopologyHints[],
  numa: NumaInfo,
  preferClosest: boolean,
): TopologyDecision {
  const lists = hintLists(hints);
  if (policy === 'single-numa-node') {
    const single = lists.map((list) =>
      list.filter(({ mask, preferred }) => preferred && (mask === undefined || countOf(mask) === 1)),
    );
    const { mask, preferred } = mergeHints(single, numa, false);
    // All nodes together are no restriction, even on a machine with a single node.
    const hint = mask === numa.allNodes ? { preferred } : { numaNodes: nodesOf(mask), preferred };
    return { hint, admit: preferred };
  }
  const { mask, preferred } = mergeHints(lists, numa, preferClosest);
  return { hint: { numaNodes: nodesOf(mask), preferred }, admit: policy === 'best-effort' || preferred };
}
