import type { Pod, PodCondition, PodStatus } from '@podwright/kube-types';

const type = 'PodReadyToStartContainers';

/**
 * The status of a pod whose sandbox has just become ready: sets condition PodReadyToStartContainers to True in its
 * position and changes nothing else, not even the addresses. Source: kubernetes v1.36 pkg/kubelet/kubelet.go
 * OnPodSandboxReady.
 */
export function withSandboxReady({ metadata: { generation } }: Pod, status: PodStatus): PodStatus {
  const conditions = status.conditions ?? [];
  const old = conditions.find((condition) => condition.type === type);
  if (old?.status === 'True') return status;
  const ready: PodCondition = {
    type,
    status: 'True',
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  return {
    ...status,
    conditions:
      old === undefined
        ? [...conditions, ready]
        : conditions.map((condition) => (condition.type === type ? ready : condition)),
  };
}
