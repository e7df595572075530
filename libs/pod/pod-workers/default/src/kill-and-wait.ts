import { withDeadline } from '@podwright/concurrency';
import { hasCode, KubeletError } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import type { Pod } from '@podwright/kube-types';
import type { KillPodOptions, UpdatePodOptions } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';

export interface KillEnvironment {
  readonly update: (options: UpdatePodOptions) => void;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
}

/**
 * Kills a pod and waits for its containers to end. Rejects when the wait times out; the kill continues.
 * Source: kubernetes v1.36 pkg/kubelet/pod_workers.go, killPodNow.
 */
export async function killAndWait(pod: Pod, options: KillPodOptions, environment: KillEnvironment): Promise<void> {
  const { update, events, clock, stopping } = environment;
  const grace = options.gracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 0;
  const timeoutMs = Math.max(10, grace + Math.floor(grace / 2)) * 1000;
  const completed = new Promise<void>((resolve) => {
    const onCompleted = (): void => {
      options.onCompleted?.();
      resolve();
    };
    update({ type: 'kill', pod, kill: { ...options, onCompleted } });
  });
  try {
    await withDeadline(clock, timeoutMs, () => completed, stopping);
  } catch (error) {
    if (!hasCode(error, 'deadline-exceeded')) throw error;
    const message = 'Container runtime did not kill the pod within specified grace period.';
    events.event({ kind: 'Pod', pod }, 'Warning', 'ExceededGracePeriod', message);
    throw new KubeletError('timeout waiting to kill pod', { code: 'deadline-exceeded', cause: error });
  }
}
