import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Container, Pod } from '@podwright/kube-types';
import { podRef, podUid, stableJson } from '@podwright/kube-types';
import type { Clock } from '@podwright/time';
import { BackOff, formatGoDuration } from '@podwright/time';
import { recordContainerEvent } from '../pod-records/event-target.js';
import type { RestartCheckpoints } from './restart-checkpoints.js';

export interface CrashLoopBackOffOptions {
  readonly containerRestartBackOffInitialMs: number;
  readonly containerRestartBackOffMaxMs: number;
}

/** After this long without a restart the back-off begins anew, in milliseconds. */
const resetAfterMs = 600_000;
const nanosecondsPerMs = 1_000_000n;

/**
 * Back-off of containers that keep exiting. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go
 * doBackOff.
 */
export class CrashLoopBackOff {
  private readonly backOff: BackOff;

  constructor(
    clock: Clock,
    private readonly recorder: EventRecorder,
    private readonly checkpoints: RestartCheckpoints,
    options: CrashLoopBackOffOptions,
  ) {
    this.backOff = new BackOff({
      clock,
      initialMs: options.containerRestartBackOffInitialMs,
      maxMs: options.containerRestartBackOffMaxMs,
      resetAfterMs,
    });
  }

  /**
   * Checks whether a container must wait. If so, records the event and resolves with the end of the wait (Unix
   * milliseconds). Else counts the restart that the caller is about to make, for this process and the next. An exit
   * with code 0 counts too.
   */
  async check(
    pod: Pod,
    container: Container,
    status: RuntimePodStatus,
  ): Promise<{ message: string; delayMs: number; untilMs: number } | undefined> {
    const last = status.containers.find(({ name, state }) => name === container.name && state === 'exited');
    if (last === undefined) return undefined;
    const finishedAtMs = Number(last.finishedAt / nanosecondsPerMs);
    const key = keyOf(pod, container);
    for (const [known, state] of this.checkpoints.of(pod)) this.backOff.restore(known, state);
    if (!this.backOff.isInBackOffSince(key, finishedAtMs)) {
      this.backOff.next(key, finishedAtMs);
      await this.checkpoints.update(pod, this.backOff, key);
      return undefined;
    }
    recordContainerEvent(this.recorder, {
      pod,
      container,
      type: 'Warning',
      reason: 'BackOff',
      message: `Back-off restarting failed container ${container.name} in pod ${podRef(pod)}`,
    });
    const delayMs = this.backOff.get(key);
    const message = `back-off ${formatGoDuration(delayMs)} restarting failed container=${container.name} pod=${podRef(pod)}`;
    return { message, delayMs, untilMs: finishedAtMs + delayMs };
  }

  purge(): void {
    this.backOff.gc();
  }
}

/**
 * Another image or other resources may fix the crash, so they have a back-off of their own. Resources that were read from
 * a checkpoint have their keys in another order than those of the API.
 */
function keyOf(pod: Pod, { name, image, resources }: Container): string {
  const { name: podName, namespace } = pod.metadata;
  return [podName, namespace, podUid(pod), name, image, stableJson(resources ?? {})].join('/');
}
