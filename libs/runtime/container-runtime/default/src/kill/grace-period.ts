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

/**
 * What is left of a grace period after a kill that was cut off, in seconds; it may be negative. A shorter one than before
 * counts from now, as it does upstream, but gives no more time than there was.
 */
export function remainingGraceSeconds(
  wantedSeconds: number,
  earlier: { readonly beganAtMs: number; readonly graceSeconds: number },
  nowMs: number,
): number {
  // The wall clock may have been set back in between.
  const usedSeconds = Math.floor(Math.max(0, nowMs - earlier.beganAtMs) / 1000);
  return wantedSeconds >= earlier.graceSeconds
    ? wantedSeconds - usedSeconds
    : Math.min(wantedSeconds, earlier.graceSeconds - usedSeconds);
}
