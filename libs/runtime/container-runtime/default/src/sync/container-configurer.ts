import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '@podwright/filesystem';
import { newestRecord, type RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { ContainerConfig, DeepPartial } from '@podwright/cri-client-interface';
import { messageOf } from '@podwright/errors';
import type { Container, EphemeralContainer } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import type { ContainerInput } from '../container/container-config.js';
import { containerConfig } from '../container/container-config.js';
import type { HostFacts } from '../container/host-facts.js';
import { ImageUsers } from '../container/image-user.js';
import { podNamespaces } from '../container/namespaces.js';
import { restartCountFromLogs } from '../container/restart-count.js';
import { createTerminationLog } from '../container/termination-log.js';
import { containerLogDirectory } from '../pod-records/log-paths.js';
import type { ContainerRuntimeNeeds } from '../container-runtime-needs.js';
import { actuatedResources } from './actuated-resources.js';
import { allInOrder } from './all-in-order.js';
import { imageMounts } from './image-volumes.js';
import type { StartContext } from './start-context.js';
import { startError } from './start-error.js';

type Settings = ContainerInput['settings'] & { readonly podLogsDir: string; readonly podLevelResize: boolean };

/** Gathers the configuration for CreateContainer and creates the files that belong to it. */
export class ContainerConfigurer {
  private readonly users: ImageUsers;

  constructor(
    private readonly deps: ContainerRuntimeNeeds,
    private readonly config: Settings,
    private readonly host: () => Promise<HostFacts>,
  ) {
    this.users = new ImageUsers(deps.imageService);
  }

  /** Rejects with the message for the event and the waiting state. */
  async configure(
    context: StartContext,
    container: Container | EphemeralContainer,
    imageRef: string,
  ): Promise<DeepPartial<ContainerConfig>> {
    const { pod, status } = context;
    const { podLevelResize } = this.config;
    const target = targetOf(container, status);
    const logDirectory = containerLogDirectory(this.config.podLogsDir, pod, container.name);
    const hasTerminationLog = (container.terminationMessagePath ?? '') !== '';
    const podDir = join(this.config.rootDir, 'pods', podUid(pod));
    const [surroundings, imageUser, restartCount, host, namespaces, , resources] = await allInOrder([
      this.deps.environment.forContainer(pod, container, context.podIps),
      this.users.userOf(imageRef),
      this.restartCountOf(status, container, logDirectory),
      this.host(),
      podNamespaces(pod, this.deps),
      // Recorded before the container exists: a running container without a record would look as if it needed a resize.
      this.deps.actuated.setContainer(
        podUid(pod),
        container.name,
        actuatedResources(container, podLevelResize ? pod.spec.resources : undefined),
      ),
      this.deps.resources.ofContainer(pod, container),
    ]);
    // After all else: it has another name each time, and a container whose config map is missing is tried again for days.
    const terminationLog = hasTerminationLog ? await this.terminationLog(podDir, container.name) : undefined;
    const input: ContainerInput = {
      pod,
      container,
      imageRef,
      imageUser,
      namespaces,
      restartCount,
      surroundings,
      imageMounts: imageMounts(surroundings, context.imageVolumes),
      terminationLog,
      volumeGroups: this.deps.volumes.extraSupplementalGroups(pod),
      targetContainerId: target,
      settings: this.config,
      host,
      resources,
    };
    try {
      const config = containerConfig(input);
      // As upstream, a container that cannot be configured leaves no folder among the pod's logs.
      await this.makeLogDirectory(logDirectory, container.name);
      return config;
    } catch (error) {
      if (terminationLog !== undefined) await rm(terminationLog, { force: true });
      throw error;
    }
  }

  private async restartCountOf(status: RuntimePodStatus, container: Container, logDirectory: string): Promise<number> {
    const record = newestRecord(status, container.name);
    if (record !== undefined) return record.restartCount + 1;
    return restartCountFromLogs(logDirectory).catch((error: unknown) => {
      this.deps.logger.error('Cannot calculate restartCount from the log directory', { logDirectory, error });
      return 0;
    });
  }

  private async makeLogDirectory(path: string, containerName: string): Promise<void> {
    await makeDirectory(path, 0o755).catch((cause: unknown) => {
      const message = `create container log directory for container ${containerName} failed: ${messageOf(cause)}`;
      throw startError('CreateContainerConfigError', cause, message);
    });
  }

  /** Path of the termination log; undefined when it cannot be created, because the container can run without it. */
  private async terminationLog(podDir: string, containerName: string): Promise<string | undefined> {
    return createTerminationLog(podDir, containerName, this.deps.random).catch((error: unknown) => {
      this.deps.logger.error('Error on creating termination-log file', { podDir, containerName, error });
      return undefined;
    });
  }
}

/** Id of the container whose process namespace an ephemeral container joins. */
function targetOf(container: Container | EphemeralContainer, status: RuntimePodStatus): string | undefined {
  const name = 'targetContainerName' in container ? (container.targetContainerName ?? '') : '';
  if (name === '') return undefined;
  const target = newestRecord(status, name);
  if (target === undefined)
    throw startError('CreateContainerConfigError', undefined, `unable to find target container ${name}`);
  return target.id;
}
