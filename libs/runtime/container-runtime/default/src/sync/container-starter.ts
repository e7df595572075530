import { mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import { messageOf } from '@podwright/errors';
import type { Container, EphemeralContainer, Pod, Secret } from '@podwright/kube-types';
import { podRef, podUid } from '@podwright/kube-types';
import { newestRecord } from '../actions/restart-decision.js';
import { containerConfig } from '../container/container-config.js';
import type { HostFacts } from '../container/host-facts.js';
import { ImageUsers } from '../container/image-user.js';
import { restartCountFromLogs } from '../container/restart-count.js';
import { createTerminationLog } from '../container/termination-log.js';
import type { ContainerRuntimeConfig } from '../container-runtime-config.js';
import type { ContainerKiller } from '../kill/container-killer.js';
import { containerEventObject, recordContainerEvent } from '../pod-records/event-target.js';
import { containerLogDirectory, containerLogLink, podLogDirectory } from '../pod-records/log-paths.js';
import type { ContainerRuntimeDeps } from '../runtime-deps.js';
import type { SandboxConfig } from '../sandbox/sandbox-config.js';
import type { ImageVolumes } from './image-volumes.js';
import { imageMounts, pullPolicyOf } from './image-volumes.js';
import { allInOrder } from './all-in-order.js';
import { reasonOf, startError } from './start-error.js';
import type { StartPlace } from './start-place.js';

/** What all containers of one sync have in common. */
export interface StartContext {
  readonly pod: Pod;
  readonly status: RuntimePodStatus;
  readonly sandboxId: string;
  readonly sandboxConfig: SandboxConfig;
  readonly podIps: readonly string[];
  readonly pullSecrets: readonly Secret[];
  readonly imageVolumes: ImageVolumes;
  readonly place: StartPlace;
}

/** See ImageManager.ensureImageExists. */
export type ImageAnswer = Promise<{ readonly imageRef: string }>;
type StartConfig = Pick<ContainerRuntimeConfig, 'rootDir' | 'podLogsDir' | 'containersLogDir'> & Parameters<typeof containerConfig>[0]['settings'];

/** An image that is present answers within a few milliseconds; one that is not must not keep a place. */
const imagePatienceMs = 100;

/** Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer. */
export class ContainerStarter {
  private readonly users: ImageUsers;

  constructor(
    private readonly deps: ContainerRuntimeDeps,
    private readonly config: StartConfig,
    private readonly killer: ContainerKiller,
    private readonly host: () => Promise<HostFacts>,
  ) {
    this.users = new ImageUsers(deps.imageService);
  }

  /** Asks for the container's image, with the events that go with it. */
  ensureImage({ pod, sandboxConfig, pullSecrets }: Pick<StartContext, 'pod' | 'sandboxConfig' | 'pullSecrets'>, container: Container): ImageAnswer {
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
    const { imageRef } = await place.during(image ?? this.ensureImage(context, container), imagePatienceMs).catch((error: unknown) => {
      this.fail(pod, container, '', `Error: ${reasonOf(error)}`);
      throw startError(reasonOf(error), error);
    });
    await place.take();
    const config = await this.configure(context, container, imageRef).catch((error: unknown) => {
      this.fail(pod, container, '', `Error: ${messageOf(error)}`);
      throw startError('CreateContainerConfigError', error);
    });
    const { sandboxId: podSandboxId, sandboxConfig } = context;
    const { containerId } = await runtime.createContainer({ podSandboxId, config, sandboxConfig }).catch((error: unknown) => {
      this.fail(pod, container, '', `Error: ${messageOf(error)}`);
      throw startError('CreateContainerError', error);
    });
    this.tell(pod, container, containerId, 'Created', 'Container created');
    await runtime.startContainer({ containerId }).catch((error: unknown) => {
      this.fail(pod, container, containerId, `Error: ${messageOf(error)}`);
      throw startError('RunContainerError', error);
    });
    this.tell(pod, container, containerId, 'Started', 'Container started');
    const linked = this.linkLog(pod, container, containerId, config.logPath ?? '');
    await this.runPostStart(context, container, containerId);
    await linked;
  }

  private async configure(
    context: StartContext,
    container: Container | EphemeralContainer,
    imageRef: string,
  ): Promise<ReturnType<typeof containerConfig>> {
    const { pod, status } = context;
    const target = targetOf(container, status);
    const logDirectory = containerLogDirectory(this.config.podLogsDir, pod, container.name);
    const hasTerminationLog = (container.terminationMessagePath ?? '') !== '';
    const podDir = join(this.config.rootDir, 'pods', podUid(pod));
    const [surroundings, imageUser, , restartCount, terminationLog, host] = await allInOrder([
      this.deps.environment.forContainer(pod, container, context.podIps),
      this.users.userOf(imageRef),
      mkdir(logDirectory, { recursive: true, mode: 0o755 }).catch((cause: unknown) => {
        throw startError(
          'CreateContainerConfigError',
          cause,
          `create container log directory for container ${container.name} failed: ${messageOf(cause)}`,
        );
      }),
      this.restartCountOf(status, container, logDirectory),
      hasTerminationLog ? this.terminationLog(podDir, container.name) : undefined,
      this.host(),
    ]);
    return containerConfig({
      pod,
      container,
      imageRef,
      imageUser,
      restartCount,
      surroundings,
      imageMounts: imageMounts(container, context.imageVolumes).mounts,
      terminationLog,
      volumeGroups: this.deps.volumes.extraSupplementalGroups(pod),
      targetContainerId: target,
      settings: this.config,
      host,
    });
  }

  private async restartCountOf(status: RuntimePodStatus, container: Container, logDirectory: string): Promise<number> {
    const record = newestRecord(status, container.name);
    if (record !== undefined) return record.restartCount + 1;
    return restartCountFromLogs(logDirectory).catch((error: unknown) => {
      this.deps.logger.error('Cannot calculate restartCount from the log directory', { logDirectory, error });
      return 0;
    });
  }

  /** A container without its last words is better than none. */
  private async terminationLog(podDir: string, containerName: string): Promise<string | undefined> {
    return createTerminationLog(podDir, containerName, this.deps.random).catch((error: unknown) => {
      this.deps.logger.error('Error on creating termination-log file', { podDir, containerName, error });
      return undefined;
    });
  }

  /** Log collectors look there; without a log file, as with some log drivers, there is nothing to link. Never rejects. */
  private async linkLog(pod: Pod, container: Container, containerId: string, logPath: string): Promise<void> {
    const { name: podName = '', namespace = '' } = pod.metadata;
    const log = join(podLogDirectory(this.config.podLogsDir, pod), logPath);
    const link = containerLogLink(this.config.containersLogDir, { podName, namespace, containerName: container.name, containerId });
    try {
      await stat(log);
      await symlink(log, link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.deps.logger.error('Failed to create legacy symbolic link', { path: link, containerId, log, error });
    }
  }

  private async runPostStart({ pod, place }: StartContext, container: Container, containerId: string): Promise<void> {
    if (container.lifecycle?.postStart === undefined) return;
    place.giveBack();
    const { hooks, logger, recorder } = this.deps;
    // No limit, as upstream: the container is not ready before its hook has ended.
    const running = new AbortController();
    await hooks.run('postStart', pod, container, containerId, running.signal).catch(async (error: unknown) => {
      logger.error('Failed to execute PostStartHook', { pod: podRef(pod), container: container.name, containerId, error });
      // Not the error itself: it may hold what the container wrote, secrets among it.
      const message = 'PostStartHook failed';
      recordContainerEvent(recorder, { pod, container, containerId, type: 'Warning', reason: 'FailedPostStartHook', message });
      await this.killer
        .kill({ pod, container, containerId, message: 'FailedPostStartHook' })
        .catch((cause: unknown) => logger.error('Failed to kill container', { pod: podRef(pod), containerId, error: cause }));
      throw startError('PostStartHookError', error);
    });
  }

  private tell(pod: Pod, container: Container, containerId: string, reason: string, message: string): void {
    recordContainerEvent(this.deps.recorder, { pod, container, containerId, type: 'Normal', reason, message });
  }

  private fail(pod: Pod, container: Container, containerId: string, message: string): void {
    recordContainerEvent(this.deps.recorder, { pod, container, containerId, type: 'Warning', reason: 'Failed', message });
  }
}

/** The container whose processes an ephemeral container shall see. */
function targetOf(container: Container | EphemeralContainer, status: RuntimePodStatus): string | undefined {
  const name = 'targetContainerName' in container ? (container.targetContainerName ?? '') : '';
  if (name === '') return undefined;
  const target = newestRecord(status, name);
  if (target === undefined) throw startError('CreateContainerConfigError', undefined, `unable to find target container ${name}`);
  return target.id;
}
