import type { Pod, PodCondition, PodStatus } from '@podwright/kube-types';

const type = 'PodReadyToStartContainers';

/**
 * The status of a pod that has just got its sandbox: condition PodReadyToStartContainers is True, in its place. Nothing
 * else of it changes, the addresses neither. Source: kubernetes v1.36 pkg/kubelet/kubelet.go OnPodSandboxReady.
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
