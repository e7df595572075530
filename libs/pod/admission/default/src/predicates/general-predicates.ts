import { isStaticPod, type Node, type Pod, type ResourceList } from '@podwright/kube-types';
import { hostPortsOf } from './host-ports.js';
import { matchesNodeAffinity } from './node-affinity.js';
import type { NodeUsage } from './node-usage.js';
import { neededBy, type ShareGates } from './pod-share.js';
import type { MismatchFailure, PredicateFailure } from './predicate-failure.js';
import { insufficientResources } from './resource-fit.js';
import { toleratesNode } from './taints.js';

export interface PredicateGates extends ShareGates {
  readonly tolerationComparisons: boolean;
}

/**
 * All mismatches between pod and node, in upstream's order. Source: kubernetes v1.36 pkg/scheduler/scheduler.go
 * AdmissionCheck, pkg/kubelet/lifecycle/predicate.go generalFilter.
 */
export function generalPredicates(
  pod: Pod,
  node: Node,
  allocatable: ResourceList,
  usage: NodeUsage,
  gates: PredicateGates,
): readonly PredicateFailure[] {
  const failed = (predicate: MismatchFailure['predicate'], fits: boolean): readonly MismatchFailure[] =>
    fits ? [] : [{ kind: 'predicate', predicate }];
  const { nodeName = '' } = pod.spec;
  return [
    ...insufficientResources(neededBy(pod, allocatable, gates), usage, allocatable),
    ...failed('NodeAffinity', matchesNodeAffinity(pod, node)),
    ...failed('NodeName', nodeName === '' || nodeName === node.metadata?.name),
    ...failed('NodePorts', !hostPortsOf(pod).some((port) => usage.hostPorts.conflictsWith(port))),
    ...failed('TaintToleration', isStaticPod(pod) || toleratesNode(pod, node, gates.tolerationComparisons)),
  ];
}
