import type { PodCondition, Pod } from '@podwright/kube-types';
import { compareQuantities, podQosClass, podRequests } from '@podwright/kube-types';

export interface ResizeCandidate {
  readonly pod: Pod;
  readonly allocated: Pod;
  readonly conditions: readonly PodCondition[];
}

/**
 * The order in which pending resizes are tried: first those that request no more, which always fit; then by priority,
 * Guaranteed pods first, and by time deferred. Source: kubernetes v1.36 pkg/kubelet/allocation sortPendingResizes.
 */
export function inResizeOrder(
  candidates: readonly ResizeCandidate[],
  options: { readonly skipPodLevel: boolean },
): readonly ResizeCandidate[] {
  const keyed = candidates.map((candidate) => ({ candidate, key: keyOf(candidate, options.skipPodLevel) }));
  return keyed
    .sort(({ key: left }, { key: right }) => {
      const index = left.findIndex((value, position) => value !== right[position]);
      return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
    })
    .map(({ candidate }) => candidate);
}

/** Sort key; smaller comes first, part by part. */
function keyOf({ pod, allocated, conditions }: ResizeCandidate, skipPodLevel: boolean): readonly number[] {
  const pending = conditions.find(({ type }) => type === 'PodResizePending');
  const since = pending?.lastTransitionTime;
  if (!asksForMore(pod, allocated, skipPodLevel)) return [0];
  return [
    1,
    -(pod.spec.priority ?? 0),
    podQosClass(pod) === 'Guaranteed' ? 0 : 1,
    since === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(String(since)),
  ];
}

function asksForMore(pod: Pod, allocated: Pod, skipPodLevel: boolean): boolean {
  const [wished, granted] = [podRequests(pod, { skipPodLevel }), podRequests(allocated, { skipPodLevel })];
  return ['memory', 'cpu'].some((name) => compareQuantities(wished[name], granted[name]) > 0);
}
