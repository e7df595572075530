import { deepEqual, type PodCondition, type PodStatus } from '@podwright/kube-types';
import { isKubeletCondition, isSharedCondition } from '@podwright/status-interface';
import { sameValue } from './same-value.js';

/** Equal for the kubelet's purposes: only its own conditions count, by status, reason and message; resource claims are not its own. */
export function sameStatus(left: PodStatus, right: PodStatus): boolean {
  return deepEqual(comparable(left), comparable(right));
}

/** Likewise, where one of the two comes from the API server, which leaves out what is empty. */
export function sameShownStatus(shown: PodStatus, own: PodStatus): boolean {
  return sameValue(comparable(shown), comparable(own));
}

const claims: ReadonlySet<string> = new Set([
  'resourceClaimStatuses',
  'extendedResourceClaimStatus',
  'nodeAllocatableResourceClaimStatuses',
]);

function comparable(status: PodStatus): unknown {
  return {
    ...Object.fromEntries(Object.entries(status).filter(([member]) => !claims.has(member))),
    conditions: Object.fromEntries(
      (status.conditions ?? [])
        .filter((condition) => isKubeletCondition(condition) || isSharedCondition(condition))
        .map(({ type, status: value, reason, message }: PodCondition) => [type, { value, reason, message }]),
    ),
  };
}
