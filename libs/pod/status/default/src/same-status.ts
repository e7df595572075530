import { deepEqual, type PodCondition, type PodStatus } from '@podwright/kube-types';
import { isKubeletCondition, isSharedCondition } from '@podwright/status-interface';

/** Equal for the kubelet's purposes: only its own conditions count, by status, reason and message. */
export function sameStatus(left: PodStatus, right: PodStatus): boolean {
  return deepEqual(comparable(left), comparable(right));
}

function comparable(status: PodStatus): unknown {
  return {
    ...status,
    conditions: Object.fromEntries(
      (status.conditions ?? [])
        .filter((condition) => isKubeletCondition(condition) || isSharedCondition(condition))
        .map(({ type, status: value, reason, message }: PodCondition) => [type, { value, reason, message }]),
    ),
  };
}
