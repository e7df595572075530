import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import { KubeletError, hasCode, messageOf } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import type { Container, Pod } from '@podwright/kube-types';
import { podRef } from '@podwright/kube-types';
import type { LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { newestRecord } from '../actions/restart-decision.js';
import type { ContainerKiller } from '../kill/container-killer.js';
import type { ContainerMemory } from '../kill/container-memory.js';
import { recordContainerEvent } from '../pod-records/event-target.js';
import { startError } from './start-error.js';

export interface PostStartHookDeps {
  readonly recorder: EventRecorder;
  readonly hooks: LifecycleHooks;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The last step of a start. A container is told to the memory before it is started, so that its hook runs at least once
 * whatever happens to the kubelet. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer.
 */
export class PostStartHook {
  constructor(
    private readonly deps: PostStartHookDeps,
    private readonly memory: ContainerMemory,
    private readonly killer: ContainerKiller,
  ) {}

  /** To be called before the container is started. */
  async announce(pod: Pod, container: Container, containerId: string): Promise<void> {
    if (container.lifecycle?.postStart === undefined) return;
    await this.memory.note(pod, containerId, { postStart: { startedAtMs: this.deps.clock.now() } });
  }

  /** The container did not start after all. */
  withdraw(pod: Pod, containerId: string): Promise<void> {
    return this.memory.forget(pod, containerId);
  }

  /** Id of the running container whose hook an earlier life of the kubelet has left unfinished. */
  unfinished(pod: Pod, container: Container, status: RuntimePodStatus): string | undefined {
    if (container.lifecycle?.postStart === undefined) return undefined;
    const record = newestRecord(status, container.name);
    if (record?.state !== 'running') return undefined;
    return this.memory.of(pod, record.id).postStart === undefined ? undefined : record.id;
  }

  /** Rejects, with the reason and message of the waiting state, once a container whose hook failed has been killed. */
  run(pod: Pod, container: Container, containerId: string): Promise<void> {
    return this.runHook(pod, container, containerId, 0).then((error) => this.end(pod, container, containerId, error));
  }

  /** As {@link run}, for a hook that an earlier life of the kubelet has left unfinished. */
  async finish(pod: Pod, container: Container, containerId: string): Promise<void> {
    const nowMs = this.deps.clock.now();
    const { startedAtMs, failure } = this.memory.of(pod, containerId).postStart ?? { startedAtMs: nowMs };
    const error =
      failure === undefined
        ? await this.runHook(pod, container, containerId, Math.max(0, nowMs - startedAtMs))
        : new KubeletError(failure, { code: 'failed-precondition' });
    await this.end(pod, container, containerId, error);
  }

  private async end(pod: Pod, container: Container, containerId: string, error: unknown): Promise<void> {
    if (error === undefined) return this.memory.note(pod, containerId, { postStart: undefined });
    // Remembered, or a container whose hook has failed would run on when the kubelet dies now.
    const startedAtMs = this.deps.clock.now();
    await this.memory.note(pod, containerId, { postStart: { startedAtMs, failure: messageOf(error) } });
    await this.kill(pod, container, containerId);
    throw startError('PostStartHookError', error);
  }

  /** Resolves with what went wrong. Rejects when this process ends in the middle: the hook stays unfinished. */
  private async runHook(pod: Pod, container: Container, containerId: string, elapsedMs: number): Promise<unknown> {
    const { hooks, logger, recorder } = this.deps;
    // No limit, as upstream: the container is not ready before its hook has ended.
    const running = new AbortController();
    try {
      await hooks.run('postStart', pod, container, containerId, running.signal, { elapsedMs });
      return undefined;
    } catch (error) {
      if (hasCode(error, 'cancelled')) throw startError('PostStartHookError', error);
      const fields = { pod: podRef(pod), container: container.name, containerId, error };
      logger.error('Failed to execute PostStartHook', fields);
      // Not the error itself: it may hold what the container wrote, secrets among it.
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
      this.deps.logger.error('Failed to kill container', { pod: podRef(pod), containerId, error });
      // Upstream lets it run then; only the next life of the kubelet tries once more.
      if (!hasCode(error, 'cancelled')) await this.memory.note(pod, containerId, { postStart: undefined });
    }
  }
}
