import { abortable, AsyncQueue } from '@podwright/concurrency';
import type {
  ContainerRuntime,
  RuntimeContainerStatus,
  RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import { hasCode, messageOf } from '@podwright/errors';
import type { ContainerRemoved, Journal } from '@podwright/journal-interface';
import type { Logger } from '@podwright/logging';

export interface DeletionRequest {
  /** How many exited records of each container to keep. */
  readonly keep: number;
  /** Only removes records of the container with this record; nothing when the status does not have it. */
  readonly exitedContainerId?: string;
}

/**
 * The exited records to remove: all but the newest, the oldest first, unlike upstream: when only the newest had gone, the
 * exit code before it would be the pod's. Source: kubernetes v1.36 pkg/kubelet/pod_container_deletor.go.
 */
export function selectExited(
  status: RuntimePodStatus,
  { keep, exitedContainerId }: DeletionRequest,
): readonly RuntimeContainerStatus[] {
  const died = status.containers.find(({ id }) => id === exitedContainerId);
  if (exitedContainerId !== undefined && died === undefined) return [];
  // The status lists the newest first.
  const candidates = status.containers.filter(
    ({ state, name }) => state === 'exited' && (died === undefined || name === died.name),
  );
  return candidates.slice(keep).reverse();
}

export type Removal = Omit<ContainerRemoved, 'kind' | 'error'>;

export interface DeadContainerDeletorDeps {
  readonly runtime: Pick<ContainerRuntime, 'removeContainer'>;
  readonly logger: Logger;
  readonly journal?: Journal | undefined;
}

/**
 * Removes dead containers in the background, one at a time. The queue is bounded; a container that does not fit is left
 * to the next pass.
 */
export class DeadContainerDeletor {
  private readonly queue: AsyncQueue<Removal>;
  private readonly queued = new Set<string>();
  private worker: Promise<void> | undefined;

  constructor(
    private readonly deps: DeadContainerDeletorDeps,
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
  delete(removals: readonly Removal[]): void {
    for (const removal of removals) {
      const { containerId } = removal;
      if (this.queued.has(containerId)) continue;
      if (this.queue.push(removal)) this.queued.add(containerId);
      else if (!this.queue.closed)
        this.deps.logger.debug(2, 'dead container is left to the next pass, too many wait', { containerId });
    }
  }

  private async work(signal: AbortSignal): Promise<void> {
    const { runtime, logger, journal } = this.deps;
    for await (const removal of this.queue) {
      const { containerId } = removal;
      if (signal.aborted) return;
      try {
        await abortable(runtime.removeContainer(containerId), signal);
        journal?.report({ kind: 'container.removed', ...removal });
      } catch (error) {
        // A garbage collection pass may have removed it already.
        if (signal.aborted || hasCode(error, 'not-found')) continue;
        logger.error('dead container was not removed', { containerId, error });
        journal?.report({ kind: 'container.removed', ...removal, error: messageOf(error) });
      } finally {
        this.queued.delete(containerId);
      }
    }
  }
}
