import type { Node, Pod } from '@podwright/kube-types';
import { refusal, type Refusal } from '../refusal.js';

/**
 * Rejects a supplementalGroupsPolicy that the node does not support. Source: kubernetes v1.36
 * pkg/kubelet/lifecycle/predicate.go rejectPodAdmissionBasedOnSupplementalGroupsPolicy.
 */
export function checkSupplementalGroups(pod: Pod, node: Node): Refusal | undefined {
  if (pod.spec.securityContext?.supplementalGroupsPolicy !== 'Strict') return undefined;
  if (node.status?.features?.supplementalGroupsPolicy === true) return undefined;
  return refusal(
    'SupplementalGroupsPolicyNotSupported',
    'SupplementalGroupsPolicy=Strict is not supported in this node',
  );
}
