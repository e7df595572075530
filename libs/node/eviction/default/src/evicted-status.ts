import type { Pod, PodCondition, PodStatus } from '@podwright/kube-types';

export const evictedReason = 'Evicted';

/**
 * The status of a pod under eviction. `disruption`: the node is short of a resource, so the pod gets the
 * DisruptionTarget condition; a pod that exceeded its own limits does not. Source: kubernetes v1.36
 * pkg/kubelet/eviction/eviction_manager.go evictPod.
 */
export function evictedStatus(pod: Pod, status: PodStatus, message: string, disruption: boolean): PodStatus {
  const evicted: PodStatus = { ...status, phase: 'Failed', reason: evictedReason, message };
  if (!disruption) return evicted;
  const { generation } = pod.metadata;
  const condition: PodCondition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'TerminationByKubelet',
    message,
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type);
  return { ...evicted, conditions: [...others, condition] };
}
