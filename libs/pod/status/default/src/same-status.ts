import { deepEqual, type PodCondition, type PodStatus } from '@podwright/kube-types';
import { isKubeletCondition, isSharedCondition } from '@podwright/status-interface';
import { sameValue } from './same-value.js';

/**
 * Whether the statuses are equal for the kubelet: compares only its own conditions, by status, reason and message, and
 * ignores resource claims.
 */
export function sameStatus(left: PodStatus, right: PodStatus): boolean {
  return deepEqual(comparable(left), comparable(right));
}

/** As `sameStatus`, where one of the two comes from the API server, which omits empty values. */
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
