import { hasCode } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import { podRef } from '@podwright/kube-types';
import type { LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { recordContainerEvent } from '../pod-records/event-target.js';
import type { KillContainerRequest } from './container-killer.js';
import type { ContainerMemory } from './container-memory.js';

export interface PreStopHookDeps {
  readonly recorder: EventRecorder;
  readonly hooks: LifecycleHooks;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go executePreStopHook. */
export class PreStopHook {
  constructor(
    private readonly deps: PreStopHookDeps,
    private readonly memory: ContainerMemory,
  ) {}

  /**
   * Resolves with the whole seconds used. A hook that takes longer goes on beside the stop of the container. One that
   * ended in an earlier life of the kubelet is not run again, one that was cut off is: a sleep with what is left of it.
   */
  async run(request: KillContainerRequest, limitSeconds: number, stopped: AbortSignal): Promise<number> {
    const { pod, containerId } = request;
    const { clock } = this.deps;
    const earlier = this.memory.of(pod, containerId).preStop;
    if (earlier?.ended === true) return 0;
    const startedAt = clock.monotonic();
    const startedAtMs = earlier?.startedAtMs ?? clock.now();
    if (earlier === undefined) await this.memory.note(pod, containerId, { preStop: { startedAtMs, ended: false } });
    const hook = this.runHook(request, startedAtMs, stopped);
    await new Promise<void>((resolve) => {
      const limit = clock.setTimer(limitSeconds * 1000, resolve);
      void hook.then(() => {
        limit.cancel();
        resolve();
      });
    });
    return Math.floor((clock.monotonic() - startedAt) / 1000);
  }

  /** Never rejects. */
  private async runHook(request: KillContainerRequest, startedAtMs: number, stopped: AbortSignal): Promise<void> {
    const { pod, container, containerId } = request;
    const { clock, hooks, logger, recorder } = this.deps;
    const elapsedMs = Math.max(0, clock.now() - startedAtMs);
    try {
      await hooks.run('preStop', pod, container, containerId, stopped, { elapsedMs });
    } catch (error) {
      logger.error('PreStop hook failed', { pod: podRef(pod), container: container.name, containerId, error });
      // Cut off: by the end of the container, or of this process, after which the next one runs it.
      if (stopped.aborted || hasCode(error, 'cancelled')) return;
      // Not the error itself: it may hold what the container wrote, secrets among it.
      const message = 'PreStopHook failed';
      recordContainerEvent(recorder, {
        pod,
        container,
        containerId,
        type: 'Warning',
        reason: 'FailedPreStopHook',
        message,
      });
    }
    if (!stopped.aborted) await this.memory.note(pod, containerId, { preStop: { startedAtMs, ended: true } });
  }
}
