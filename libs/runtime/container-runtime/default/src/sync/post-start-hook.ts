import { newestRecord, type RuntimePodStatus } from '@podwright/container-runtime-interface';
import { KubeletError, hasCode, messageOf } from '@podwright/errors';
import { journalPod } from '@podwright/journal-interface';
import type { Container, Pod } from '@podwright/kube-types';
import { podRef } from '@podwright/kube-types';
import type { ContainerKiller } from '../kill/container-killer.js';
import type { ContainerCheckpoints } from '../kill/container-checkpoints.js';
import { minimumGraceSeconds } from '../kill/grace-period.js';
import { recordContainerEvent } from '../pod-records/event-target.js';
import { startError } from './start-error.js';
import type { ContainerRuntimeNeeds } from '../container-runtime-needs.js';

const stopAgainAfterMs = 1_000;

/**
 * The last step of a start. A checkpoint is written before the container starts, so that its hook runs at least once
 * whatever happens to the kubelet. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go
 * startContainer.
 */
export class PostStartHook {
  constructor(
    private readonly deps: Pick<ContainerRuntimeNeeds, 'recorder' | 'hooks' | 'clock' | 'logger' | 'journal'>,
    private readonly checkpoints: ContainerCheckpoints,
    private readonly killer: ContainerKiller,
  ) {}

  /** Call before the container starts. */
  async announce(pod: Pod, container: Container, containerId: string): Promise<void> {
    if (container.lifecycle?.postStart === undefined) return;
    await this.checkpoints.update(pod, containerId, { postStart: { startedAtMs: this.deps.clock.now() } });
  }

  /** Call when the container did not start. */
  withdraw(pod: Pod, containerId: string): Promise<void> {
    return this.checkpoints.remove(pod, containerId);
  }

  /** Id of the running container whose hook an earlier kubelet process did not finish. */
  unfinished(pod: Pod, container: Container, status: RuntimePodStatus): string | undefined {
    if (container.lifecycle?.postStart === undefined) return undefined;
    const record = newestRecord(status, container.name);
    if (record?.state !== 'running') return undefined;
    return this.checkpoints.of(pod, record.id).postStart === undefined ? undefined : record.id;
  }

  /**
   * Runs the hook. When it fails, kills the container and then rejects with the reason and message of the waiting
   * state.
   */
  run(pod: Pod, container: Container, containerId: string): Promise<void> {
    return this.runHook(pod, container, containerId, 0).then((error) => this.end(pod, container, containerId, error));
  }

  /** As {@link run}, for a hook that an earlier kubelet process did not finish. */
  async finish(pod: Pod, container: Container, containerId: string): Promise<void> {
    const nowMs = this.deps.clock.now();
    const { startedAtMs, failure } = this.checkpoints.of(pod, containerId).postStart ?? { startedAtMs: nowMs };
    const error =
      failure === undefined
        ? await this.runHook(pod, container, containerId, Math.max(0, nowMs - startedAtMs))
        : new KubeletError(failure, { code: 'failed-precondition' });
    await this.end(pod, container, containerId, error);
  }

  private async end(pod: Pod, container: Container, containerId: string, error: unknown): Promise<void> {
    if (error === undefined) return this.checkpoints.update(pod, containerId, { postStart: undefined });
    // Checkpointed, because otherwise a container whose hook failed would keep running if the kubelet dies now.
    const startedAtMs = this.deps.clock.now();
    await this.checkpoints.update(pod, containerId, { postStart: { startedAtMs, failure: messageOf(error) } });
    await this.kill(pod, container, containerId);
    throw startError('PostStartHookError', error);
  }

  /**
   * Resolves with the hook's error, else with undefined. Rejects when this process stops meanwhile: the hook stays
   * unfinished.
   */
  private async runHook(pod: Pod, container: Container, containerId: string, elapsedMs: number): Promise<unknown> {
    const { hooks, logger, recorder } = this.deps;
    // As upstream, without a limit: the container is not ready before its hook has ended.
    const running = new AbortController();
    const begunAtMs = this.deps.clock.monotonic() - elapsedMs;
    try {
      await hooks.run('postStart', pod, container, containerId, running.signal, { elapsedMs });
      return undefined;
    } catch (error) {
      if (hasCode(error, 'cancelled')) throw startError('PostStartHookError', error);
      const fields = { pod: podRef(pod), container: container.name, containerId, error };
      logger.error('Failed to execute PostStartHook', fields);
      const of = { pod: journalPod(pod), container: container.name, containerId };
      const durationMs = this.deps.clock.monotonic() - begunAtMs;
      this.deps.journal?.report({ kind: 'hook.failed', ...of, hook: 'postStart', durationMs });
      // Without the error's text, which may contain output of the container and so secrets.
      const message = 'PostStartHook failed';
      recordContainerEvent(recorder, {
        pod,
        container,
        containerId,
        type: 'Warning',
        reason: 'FailedPostStartHook',
        message,
      });
      return error;
    }
  }

  private async kill(pod: Pod, container: Container, containerId: string): Promise<void> {
    try {
      await this.killer.kill({ pod, container, containerId, message: 'FailedPostStartHook' });
    } catch (error) {
      this.tellFailedKill(pod, containerId, error);
      // Only a kill that the end of this process interrupts is retried, by the next process.
      if (!hasCode(error, 'cancelled')) await this.stopAgain(pod, containerId);
    }
  }

  /**
   * containerd fails to stop a container that is just ending by itself, and shows it as running for a moment: the next
   * sync, which upstream does up to a second later, would take it for started. One that runs after all goes on, as
   * upstream's.
   */
  private async stopAgain(pod: Pod, containerId: string): Promise<void> {
    await this.deps.clock.sleep(stopAgainAfterMs);
    try {
      await this.killer.stop({ pod, containerId }, minimumGraceSeconds);
    } catch (error) {
      this.tellFailedKill(pod, containerId, error);
      if (!hasCode(error, 'cancelled')) await this.checkpoints.update(pod, containerId, { postStart: undefined });
    }
  }

  private tellFailedKill(pod: Pod, containerId: string, error: unknown): void {
    this.deps.logger.error('Failed to kill container', { pod: podRef(pod), containerId, error });
  }
}
