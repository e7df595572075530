import { matchesNodeSelectorTerms, type Node, type Pod } from '@podwright/kube-types';

/**
 * Whether the node matches the pod's node selector and required node affinity. Source: kubernetes v1.36
 * component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go.
 */
export function matchesNodeAffinity(pod: Pod, { metadata }: Node): boolean {
  const labels = new Map(Object.entries(metadata?.labels ?? {}));
  const selected = Object.entries(pod.spec.nodeSelector ?? {}).every(([key, value]) => labels.get(key) === value);
  if (!selected) return false;
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return true;
  return matchesNodeSelectorTerms(required.nodeSelectorTerms, metadata?.labels ?? {}, metadata?.name ?? '');
}
