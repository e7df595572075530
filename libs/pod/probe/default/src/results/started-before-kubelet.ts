import type { ContainerStatus } from '@podwright/kube-types';

// Clocks of runtime and kubelet may differ a little, and a container may just have been started by the kubelet before.
const graceMs = 10_000;

/**
 * Whether the container runs since more than 10 seconds before the kubelet: an earlier kubelet has probed it.
 * `kubeletStartedAtMs` is wall-clock time. Source: kubernetes v1.36 pkg/kubelet/prober/prober_manager.go
 * kubeletRestartGracePeriod.
 */
export function startedBeforeKubelet({ state }: ContainerStatus, kubeletStartedAtMs: number): boolean {
  const startedAt = Date.parse(state?.running?.startedAt ?? '');
  return startedAt < kubeletStartedAtMs - graceMs;
}
