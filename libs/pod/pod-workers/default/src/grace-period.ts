import type { Pod } from '@podwright/kube-types';

/**
 * Seconds that a pod gets to terminate, at least 1. `current`: the value so far, 0 for none. Values from the API server
 * or the kubelet can only shorten it; the pod's own value applies only when none is given. So a requested 0 gives 1,
 * not the pod's value.
 * Source: kubernetes v1.36 pkg/kubelet/pod_workers.go, calculateEffectiveGracePeriod.
 */
export function effectiveGracePeriod(current: number, pod: Pod | undefined, override: number | undefined): number {
  let grace = current;
  let replaced = false;
  for (const asked of [pod?.metadata.deletionGracePeriodSeconds, override]) {
    if (asked === undefined || (grace !== 0 && asked >= grace)) continue;
    grace = asked;
    replaced = true;
  }
  if (!replaced && grace === 0) grace = pod?.spec.terminationGracePeriodSeconds ?? 0;
  return Math.max(1, grace);
}
