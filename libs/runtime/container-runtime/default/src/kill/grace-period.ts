import type { Container, Pod } from '@podwright/kube-types';
import type { KillReason } from '../actions/pod-actions.js';

/** Every container gets at least this long, which spares most of them a SIGKILL. */
export const minimumGraceSeconds = 2;

/**
 * Grace period of a container in seconds when the caller sets none. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_container.go setTerminationGracePeriod.
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
 * Rest of a grace period after an interrupted kill, in seconds; may be negative. A shorter new period counts from now,
 * as upstream, but never gives more time than was left.
 */
export function remainingGraceSeconds(
  wantedSeconds: number,
  earlier: { readonly beganAtMs: number; readonly graceSeconds: number },
  nowMs: number,
): number {
  // The wall clock may have been set back meanwhile.
  const usedSeconds = Math.floor(Math.max(0, nowMs - earlier.beganAtMs) / 1000);
  // Stryker disable next-line EqualityOperator: of two equal periods the same is left either way
  return wantedSeconds >= earlier.graceSeconds
    ? wantedSeconds - usedSeconds
    : Math.min(wantedSeconds, earlier.graceSeconds - usedSeconds);
}
