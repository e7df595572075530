import { ContainerState, type ContainerConfig, type DeepPartial } from '@podwright/cri-client-interface';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { journalPod, type ContainerStarted } from '@podwright/journal-interface';
import type { Container, EphemeralContainer, Pod } from '@podwright/kube-types';
import { findContainer, isSidecar, podRef } from '@podwright/kube-types';
import { containerEventObject, recordContainerEvent } from '../pod-records/event-target.js';
import type { LogDirectories } from '../pod-records/log-paths.js';
import type { ContainerRuntimeNeeds } from '../container-runtime-needs.js';
import type { ContainerConfigurer } from './container-configurer.js';
import { pullPolicyOf } from './image-volumes.js';
import { linkLog } from './log-link.js';
import type { PostStartHook } from './post-start-hook.js';
import type { StartContext } from './start-context.js';
import { reasonOf, retriedAt, startError } from './start-error.js';

/** Result of ImageManager.ensureImageExists. */
export type ImageAnswer = Promise<{ readonly imageRef: string }>;
type Config = DeepPartial<ContainerConfig>;
/** A present image is confirmed within milliseconds; a pull must not occupy a start slot. */
const imagePatienceMs = 100;
/** So long only an answer of the API server takes; what is on the machine takes less even while others start. */
const configPatienceMs = 500;
/** A start that a runtime is at takes about as long. */
const startingRetryMs = 500;

/**
 * Starts one container: image, configuration, creation, start, postStart hook. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer.
 */
export class ContainerStarter {
  constructor(
    private readonly deps: ContainerRuntimeNeeds,
    private readonly directories: LogDirectories,
    private readonly configurer: ContainerConfigurer,
    private readonly postStart: PostStartHook,
  ) {}

  /** Ensures the container's image and records the events for it. */
  ensureImage(
    { pod, sandboxConfig, pullSecrets, signal }: Pick<StartContext, 'pod' | 'sandboxConfig' | 'pullSecrets' | 'signal'>,
    container: Container,
  ): ImageAnswer {
    const image = container.image ?? '';
    return this.deps.images.ensureImageExists({
      pod,
      image,
      pullPolicy: pullPolicyOf(container.imagePullPolicy, image),
      pullSecrets,
      sandboxConfig,
      eventObject: containerEventObject(pod, container.name),
      ...(signal !== undefined && { signal }),
    });
  }

  /**
   * Creates and starts one container and runs its postStart hook. Records events. Rejects with a KubeletError whose
   * reason and message are those of the waiting state. `image` is the result of an earlier ensureImage call.
   */
  async start(context: StartContext, container: Container | EphemeralContainer, image?: ImageAnswer): Promise<void> {
    const { pod, place } = context;
    const { runtime, clock } = this.deps;
    const begunAtMs = clock.monotonic();
    const { imageRef } = await place
      .during(image ?? this.ensureImage(context, container), imagePatienceMs)
      .catch((error: unknown) => {
        if (context.signal?.aborted !== true) this.fail(pod, container, '', `Error: ${reasonOf(error)}`);
        throw startError(reasonOf(error), error);
      });
    const imageAtMs = clock.monotonic();
    await place.take();
    // Config maps and secrets of the environment may come from an API server that is slow.
    const configuring = this.configurer.configure(context, container, imageRef);
    const configured = await place.during(configuring, configPatienceMs).catch((error: unknown) => {
      this.fail(pod, container, '', `Error: ${messageOf(error)}`);
      throw startError('CreateContainerConfigError', error);
    });
    await place.take();
    const config = await this.preCreate(pod, container, configured);
    await this.removeUnstarted(context, container);
    const { sandboxId: podSandboxId, sandboxConfig } = context;
    const { containerId } = await runtime
      .createContainer({ podSandboxId, config, sandboxConfig })
      .catch((error: unknown) => {
        this.fail(pod, container, '', `Error: ${messageOf(error)}`);
        throw startError('CreateContainerError', error);
      });
    await this.preStart(pod, container, containerId);
    this.tell(pod, container, containerId, 'Created', 'Container created');
    await this.postStart.announce(pod, container, containerId);
    await runtime.startContainer({ containerId }).catch(async (error: unknown) => {
      // When this process stops during the call, the container may have started, and its hook must still run.
      if (!hasCode(error, 'cancelled')) await this.postStart.withdraw(pod, containerId);
      this.fail(pod, container, containerId, `Error: ${messageOf(error)}`);
      throw startError('RunContainerError', error);
    });
    this.tell(pod, container, containerId, 'Started', 'Container started');
    this.deps.journal?.report({
      kind: 'container.started',
      pod: journalPod(pod),
      container: container.name,
      containerId,
      type: typeOf(pod, container),
      restartCount: config.metadata?.attempt ?? 0,
      imageMs: imageAtMs - begunAtMs,
      durationMs: clock.monotonic() - imageAtMs,
    });
    const linked = linkLog(this.directories, pod, container, containerId, config.logPath ?? '').catch(
      (error: unknown) =>
        this.deps.logger.error('Failed to create legacy symbolic link', { pod: podRef(pod), containerId, error }),
    );
    if (container.lifecycle?.postStart !== undefined) {
      place.giveBack();
      await this.postStart.run(pod, container, containerId);
    }
    await linked;
  }

  /**
   * A container that was created and not started belongs to a kubelet that was killed, or to a call that took too long. It
   * may still start, and then two would run. Upstream leaves it. A runtime does not remove one that starts just now: soon
   * it runs and is found, or it has failed and goes. One that has started since it was inspected stays, because an
   * ephemeral container runs once only.
   */
  private async removeUnstarted(
    { pod, status }: StartContext,
    container: Container | EphemeralContainer,
  ): Promise<void> {
    const unstarted = status.containers.filter(({ name, state }) => name === container.name && state === 'created');
    for (const { id } of unstarted) {
      if (await this.hasStarted(id)) {
        const told = { code: 'failed-precondition', reason: 'CreateContainerError' } as const;
        const started = new KubeletError('the one that was created before has started meanwhile', told);
        throw retriedAt(started, this.deps.clock.now() + startingRetryMs);
      }
      // Its start may have been prepared in this process. First, because a removal that is told as failed may be done.
      await this.deps.internalLifecycle?.postStopContainer(id).catch((error: unknown) => {
        const facts = { pod: podRef(pod), container: container.name, error };
        this.deps.logger.error('Internal container post-stop lifecycle hook failed', facts);
      });
      await this.deps.runtime.removeContainer({ containerId: id }).catch((error: unknown) => {
        if (hasCode(error, 'not-found')) return;
        const message = `cannot remove the one that was created before and may still start: ${messageOf(error)}`;
        this.fail(pod, container, id, `Error: ${message}`);
        throw retriedAt(startError('CreateContainerError', error, message), this.deps.clock.now() + startingRetryMs);
      });
    }
  }

  private async hasStarted(containerId: string): Promise<boolean> {
    const { status } = await this.deps.runtime.containerStatus({ containerId }).catch((error: unknown) => {
      if (hasCode(error, 'not-found')) return { status: undefined };
      throw startError('CreateContainerError', error);
    });
    return status !== undefined && status.state !== ContainerState.CONTAINER_CREATED;
  }

  private async preCreate(pod: Pod, container: Container, config: Config): Promise<Config> {
    try {
      return (await this.deps.internalLifecycle?.preCreateContainer(pod, container, config)) ?? config;
    } catch (error) {
      this.fail(pod, container, '', `Internal PreCreateContainer hook failed: ${messageOf(error)}`);
      throw startError('PreCreateHookError', error);
    }
  }

  private async preStart(pod: Pod, container: Container, containerId: string): Promise<void> {
    try {
      await this.deps.internalLifecycle?.preStartContainer(pod, container, containerId);
    } catch (error) {
      this.fail(pod, container, containerId, `Internal PreStartContainer hook failed: ${messageOf(error)}`);
      throw startError('PreStartHookError', error);
    }
  }

  private tell(pod: Pod, container: Container, containerId: string, reason: string, message: string): void {
    recordContainerEvent(this.deps.recorder, { pod, container, containerId, type: 'Normal', reason, message });
  }

  private fail(pod: Pod, container: Container, containerId: string, message: string): void {
    recordContainerEvent(this.deps.recorder, {
      pod,
      container,
      containerId,
      type: 'Warning',
      reason: 'Failed',
      message,
    });
  }
}

function typeOf(pod: Pod, container: Container | EphemeralContainer): ContainerStarted['type'] {
  const { kind } = findContainer(pod, container.name) ?? { kind: 'regular' };
  return kind === 'init' && isSidecar(container) ? 'sidecar' : kind;
}
