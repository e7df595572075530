import path from 'node:path';
import { ContainerEventType } from '@podwright/cri-client-interface';
import type * as cri from '@podwright/cri-client-interface';
import type { DeepPartial } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Clock, Random } from '@podwright/time';
import { copyOf, updatedResources } from './complete-messages.js';
import type { ImageStore } from './image-store.js';
import type { LogFiles } from './log-files.js';
import type { NanosecondStamps } from './nanosecond-stamps.js';
import type { Programs } from './program.js';
import { notFound, unknown } from './runtime-errors.js';
import type { RuntimeState } from './runtime-state.js';
import { SimulatedContainer } from './simulated-container.js';
import { SimulatedSandbox } from './simulated-sandbox.js';

export interface ContainerCallsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly stamps: NanosecondStamps;
  readonly state: RuntimeState;
  readonly store: ImageStore;
  readonly programs: Programs;
  readonly logFiles: LogFiles | undefined;
}

/** The CRI calls for containers, with containerd's answers. */
export class ContainerCalls {
  constructor(private readonly deps: ContainerCallsDeps) {}

  create({ podSandboxId = '', config }: DeepPartial<cri.CreateContainerRequest>): cri.CreateContainerResponse {
    const { clock, random, stamps, state, store, programs } = this.deps;
    const sandbox = state.sandbox(podSandboxId, `failed to find sandbox id "${podSandboxId}"`);
    if (config?.metadata === undefined) throw unknown('container config must include metadata');
    // containerd 1.6 fails here, 2.x only when the container starts. This fails early.
    if (!sandbox.ready)
      throw notFound(`failed to get sandbox container task: no running task found: task ${sandbox.id}`);
    const { name: containerName = '', attempt = 0 } = config.metadata;
    const name = `${containerName}_${SimulatedSandbox.nameOf(sandbox.config).replace(/_\d+$/, '')}_${attempt}`;
    const holder = state.names.get(name);
    if (holder !== undefined) {
      const message = `failed to reserve container name "${name}"; check if another CreateContainer request is in progress: name "${name}" is reserved for "${holder}"`;
      throw new KubeletError(message, { code: 'failed-precondition' });
    }
    const reference = config.image?.image ?? '';
    const image = store.find(reference);
    if (image === undefined) throw notFound(`failed to resolve image "${reference}"`);
    const id = random.hex(32);
    const directory = sandbox.config.logDirectory ?? '';
    const logPath = directory === '' || !config.logPath ? '' : path.posix.join(directory, config.logPath);
    const parts = { id, podSandboxId: sandbox.id, config: copyOf(config), image, logPath };
    const container = new SimulatedContainer({ ...parts, program: programs.of(config) }, clock, stamps, (ended) =>
      this.tell(ContainerEventType.CONTAINER_STOPPED_EVENT, ended),
    );
    state.containers.set(id, container);
    state.names.set(name, id);
    this.tell(ContainerEventType.CONTAINER_CREATED_EVENT, container);
    return { containerId: id };
  }

  async start(
    { containerId = '' }: DeepPartial<cri.StartContainerRequest>,
    signal: AbortSignal,
  ): Promise<cri.StartContainerResponse> {
    const { clock, state, logFiles } = this.deps;
    const container = this.find(containerId);
    await container.start(async () => {
      const { startMs = 0 } = container.program;
      if (startMs > 0) await clock.sleep(startMs, signal);
      if (state.sandboxes.get(container.podSandboxId)?.ready !== true) {
        throw unknown(`sandbox container "${container.podSandboxId}" is not running`);
      }
      if (logFiles === undefined) return;
      await logFiles.started(container, clock.now());
      container.ended.addEventListener('abort', () => void logFiles.ended(container), { once: true });
    });
    this.tell(ContainerEventType.CONTAINER_STARTED_EVENT, container);
    return {};
  }

  /** Stops a container; does nothing when it is unknown or not running. */
  async stop(
    { containerId, timeout = 0n }: DeepPartial<cri.StopContainerRequest>,
    signal: AbortSignal,
  ): Promise<cri.StopContainerResponse> {
    await this.deps.state.findContainer(containerId)?.stop(Number(timeout) * 1000, signal);
    return {};
  }

  /** Removes a container, and kills it first when it is running; does nothing when it is unknown. */
  remove({ containerId }: DeepPartial<cri.RemoveContainerRequest>): cri.RemoveContainerResponse {
    const { state } = this.deps;
    const container = state.findContainer(containerId);
    if (container === undefined) return {};
    if (container.starting) throw unknown(`container "${container.id}" is in starting state, can't be removed`);
    container.exit(137);
    container.dispose();
    state.containers.delete(container.id);
    state.release(container.id);
    this.tell(ContainerEventType.CONTAINER_DELETED_EVENT, container);
    return {};
  }

  status({ containerId = '' }: DeepPartial<cri.ContainerStatusRequest>): cri.ContainerStatusResponse {
    return { status: this.find(containerId).status(), info: {} };
  }

  list({ filter }: DeepPartial<cri.ListContainersRequest>): cri.ListContainersResponse {
    return { containers: this.deps.state.matchingContainers(filter).map((container) => container.listed()) };
  }

  updateResources(request: DeepPartial<cri.UpdateContainerResourcesRequest>): cri.UpdateContainerResourcesResponse {
    const container = this.deps.state.container(request.containerId, 'failed to find container');
    container.resources = updatedResources(container.resources, request.linux ?? {});
    return {};
  }

  async reopenLog({
    containerId = '',
  }: DeepPartial<cri.ReopenContainerLogRequest>): Promise<cri.ReopenContainerLogResponse> {
    const container = this.find(containerId);
    if (!container.running) throw unknown('container is not running');
    await this.deps.logFiles?.reopened(container);
    return {};
  }

  checkpoint({ containerId = '' }: DeepPartial<cri.CheckpointContainerRequest>): cri.CheckpointContainerResponse {
    const container = this.find(containerId);
    if (!container.running) throw unknown(container.stateText());
    return {};
  }

  private find(containerId: string): SimulatedContainer {
    return this.deps.state.container(containerId, `an error occurred when try to find container "${containerId}"`);
  }

  private tell(type: ContainerEventType, container: SimulatedContainer): void {
    const { state } = this.deps;
    state.tell(type, container.id, state.sandboxes.get(container.podSandboxId));
  }
}
