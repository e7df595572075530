import { abortable, AsyncQueue } from '@podwright/concurrency';
import type { ContainerRuntime, RuntimePodStatus } from '@podwright/container-runtime-interface';
import { hasCode } from '@podwright/errors';
import type { Logger } from '@podwright/logging';

export interface DeletionRequest {
  /** How many exited records of each container to keep. */
  readonly keep: number;
  /** Only removes records of the container with this record; nothing when the status does not have it. */
  readonly exitedContainerId?: string;
}

/**
 * Ids of the exited records to remove: all but the newest. Source: kubernetes v1.36
 * pkg/kubelet/pod_container_deletor.go.
 */
export function selectExited(status: RuntimePodStatus, { keep, exitedContainerId }: DeletionRequest): string[] {
  const died = status.containers.find(({ id }) => id === exitedContainerId);
  if (exitedContainerId !== undefined && died === undefined) return [];
  // The status lists the newest first.
  const candidates = status.containers.filter(
    ({ state, name }) => state === 'exited' && (died === undefined || name === died.name),
  );
  return candidates.slice(keep).map(({ id }) => id);
}

/**
 * Removes dead containers in the background, one at a time. The queue is bounded; a container that does not fit is left
 * to the next pass.
 */
export class DeadContainerDeletor {
  private readonly queue: AsyncQueue<string>;
  private readonly queued = new Set<string>();
  private worker: Promise<void> | undefined;

  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly logger: Logger,
    capacity: number,
  ) {
    this.queue = new AsyncQueue({ capacity });
  }

  start(signal: AbortSignal): void {
    this.worker ??= this.work(signal);
  }

  async stop(): Promise<void> {
    this.queue.close();
    await this.worker;
  }

  /** Queues containers; one that is already queued is not queued again. */
  delete(containerIds: readonly string[]): void {
    for (const containerId of containerIds) {
      if (this.queued.has(containerId)) continue;
      if (this.queue.push(containerId)) this.queued.add(containerId);
      else if (!this.queue.closed)
        this.logger.debug(2, 'dead container is left to the next pass, too many wait', { containerId });
    }
  }

  private async work(signal: AbortSignal): Promise<void> {
    for await (const containerId of this.queue) {
      if (signal.aborted) return;
      try {
        await abortable(this.runtime.removeContainer(containerId), signal);
      } catch (error) {
        // A garbage collection pass may have removed it already.
        if (signal.aborted || hasCode(error, 'not-found')) continue;
        this.logger.error('dead container was not removed', { containerId, error });
      } finally {
        this.queued.delete(containerId);
      }
    }
  }
}
