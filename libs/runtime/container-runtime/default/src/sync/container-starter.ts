import { messageOf } from '@podwright/errors';
import type { Container, EphemeralContainer, Pod } from '@podwright/kube-types';
import { podRef } from '@podwright/kube-types';
import type { ContainerKiller } from '../kill/container-killer.js';
import { containerEventObject, recordContainerEvent } from '../pod-records/event-target.js';
import type { LogDirectories } from '../pod-records/log-paths.js';
import type { ContainerRuntimeDeps } from '../runtime-deps.js';
import type { ContainerConfigurer } from './container-configurer.js';
import { pullPolicyOf } from './image-volumes.js';
import { linkLog } from './log-link.js';
import type { StartContext } from './start-context.js';
import { reasonOf, startError } from './start-error.js';

/** See ImageManager.ensureImageExists. */
export type ImageAnswer = Promise<{ readonly imageRef: string }>;
/** An image that is present answers within a few milliseconds; one that is not must not keep a place. */
const imagePatienceMs = 100;

/** Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer. */
export class ContainerStarter {
  constructor(
    private readonly deps: ContainerRuntimeDeps,
    private readonly directories: LogDirectories,
    private readonly killer: ContainerKiller,
    private readonly configurer: ContainerConfigurer,
  ) {}

  /** Asks for the container's image, with the events that go with it. */
  ensureImage(
    { pod, sandboxConfig, pullSecrets }: Pick<StartContext, 'pod' | 'sandboxConfig' | 'pullSecrets'>,
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
    });
  }

  /**
   * Makes and starts one container, down to its postStart hook. Rejects with a KubeletError whose reason and message
   * are those of the waiting state; events are recorded. `image`: answer of an ensureImage call made before.
   */
  async start(context: StartContext, container: Container | EphemeralContainer, image?: ImageAnswer): Promise<void> {
    const { pod, place } = context;
    const { runtime } = this.deps;
    const { imageRef } = await place
      .during(image ?? this.ensureImage(context, container), imagePatienceMs)
      .catch((error: unknown) => {
        this.fail(pod, container, '', `Error: ${reasonOf(error)}`);
        throw startError(reasonOf(error), error);
      });
    await place.take();
    const config = await this.configurer.configure(context, container, imageRef).catch((error: unknown) => {
      this.fail(pod, container, '', `Error: ${messageOf(error)}`);
      throw startError('CreateContainerConfigError', error);
    });
    const { sandboxId: podSandboxId, sandboxConfig } = context;
    const { containerId } = await runtime
      .createContainer({ podSandboxId, config, sandboxConfig })
      .catch((error: unknown) => {
        this.fail(pod, container, '', `Error: ${messageOf(error)}`);
        throw startError('CreateContainerError', error);
      });
    this.tell(pod, container, containerId, 'Created', 'Container created');
    await runtime.startContainer({ containerId }).catch((error: unknown) => {
      this.fail(pod, container, containerId, `Error: ${messageOf(error)}`);
      throw startError('RunContainerError', error);
    });
    this.tell(pod, container, containerId, 'Started', 'Container started');
    const linked = linkLog(this.directories, pod, container, containerId, config.logPath ?? '').catch(
      (error: unknown) =>
        this.deps.logger.error('Failed to create legacy symbolic link', { pod: podRef(pod), containerId, error }),
    );
    await this.runPostStart(context, container, containerId);
    await linked;
  }

  private async runPostStart({ pod, place }: StartContext, container: Container, containerId: string): Promise<void> {
    if (container.lifecycle?.postStart === undefined) return;
    place.giveBack();
    const { hooks, logger, recorder } = this.deps;
    // No limit, as upstream: the container is not ready before its hook has ended.
    const running = new AbortController();
    await hooks.run('postStart', pod, container, containerId, running.signal).catch(async (error: unknown) => {
      logger.error('Failed to execute PostStartHook', {
        pod: podRef(pod),
        container: container.name,
        containerId,
        error,
      });
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
      await this.killer
        .kill({ pod, container, containerId, message: 'FailedPostStartHook' })
        .catch((cause: unknown) =>
          logger.error('Failed to kill container', { pod: podRef(pod), containerId, error: cause }),
        );
      throw startError('PostStartHookError', error);
    });
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
