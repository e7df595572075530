import type { ContainerStatus } from '@podwright/kube-types';

// Allows for clock differences between runtime and kubelet, and for a container that the earlier kubelet has just
// started.
const graceMs = 10_000;

/**
 * Whether the container started more than 10 seconds before the kubelet, so that an earlier kubelet has probed it.
 * `kubeletStartedAtMs`: wall-clock time, as that clock is set now. Source: kubernetes v1.36 pkg/kubelet/prober/prober_manager.go
 * kubeletRestartGracePeriod.
 */
export function startedBeforeKubelet({ state }: ContainerStatus, kubeletStartedAtMs: number): boolean {
  const startedAt = Date.parse(state?.running?.startedAt ?? '');
  return startedAt < kubeletStartedAtMs - graceMs;
}
