import { hasCode } from '@podwright/errors';
import { journalPod } from '@podwright/journal-interface';
import { podRef } from '@podwright/kube-types';
import { recordContainerEvent } from '../pod-records/event-target.js';
import type { KillContainerRequest } from './kill-container-request.js';
import type { ContainerCheckpoints } from './container-checkpoints.js';
import type { ContainerRuntimeNeeds } from '../container-runtime-needs.js';

/**
 * Runs the preStop hook of a container within its grace period. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_container.go executePreStopHook.
 */
export class PreStopHook {
  constructor(
    private readonly deps: Pick<ContainerRuntimeNeeds, 'recorder' | 'hooks' | 'clock' | 'logger' | 'journal'>,
    private readonly checkpoints: ContainerCheckpoints,
  ) {}

  /**
   * Runs the hook and resolves with the whole seconds that it used. At the limit, it resolves while the hook continues
   * beside the stop. A hook that ended in an earlier kubelet process does not run again; an interrupted one does, a
   * sleep only for the rest of its time.
   */
  async run(request: KillContainerRequest, limitSeconds: number, stopped: AbortSignal): Promise<number> {
    const { pod, containerId } = request;
    const { clock } = this.deps;
    const earlier = this.checkpoints.of(pod, containerId).preStop;
    if (earlier?.ended === true) return 0;
    const startedAt = clock.monotonic();
    const startedAtMs = earlier?.startedAtMs ?? clock.now();
    if (earlier === undefined)
      await this.checkpoints.update(pod, containerId, { preStop: { startedAtMs, ended: false } });
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
      // Aborted because the container stopped, or because this process ends; then the next process runs the hook.
      if (stopped.aborted || hasCode(error, 'cancelled')) return;
      const of = { pod: journalPod(pod), container: container.name, containerId };
      this.deps.journal?.report({ kind: 'hook.failed', ...of, hook: 'preStop', durationMs: clock.now() - startedAtMs });
      // Without the error's text, which may contain output of the container and so secrets.
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
    if (!stopped.aborted) await this.checkpoints.update(pod, containerId, { preStop: { startedAtMs, ended: true } });
  }
}
