import type { Container, Pod } from '@podwright/kube-types';
import type { KillReason } from '../actions/pod-actions.js';

/** Each container gets at least this long, to spare most of them a SIGKILL. */
export const minimumGraceSeconds = 2;

/**
 * Seconds that a container has to end when the caller says nothing else.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go setTerminationGracePeriod.
 */
export function graceSecondsOf(pod: Pod, container: Container, reason: KillReason): number {
  const { deletionGracePeriodSeconds } = pod.metadata;
  const { terminationGracePeriodSeconds } = pod.spec;
  if (deletionGracePeriodSeconds !== undefined) return deletionGracePeriodSeconds;
  if (terminationGracePeriodSeconds === undefined) return minimumGraceSeconds;
  const probe =
    reason === 'startup-probe'
      ? container.startupProbe
      : reason === 'liveness-probe'
        ? container.livenessProbe
        : undefined;
  return probe?.terminationGracePeriodSeconds ?? terminationGracePeriodSeconds;
}
