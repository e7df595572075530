import type { CallOptions, RuntimeService } from '@podwright/cri-client-interface';
import { ContainerState } from '@podwright/cri-client-interface';
import { hasCode } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { PodCache } from '@podwright/pod-cache-interface';

/** What the runtime reports about a container whose log is read. */
export interface ContainerRecord {
  readonly running: boolean;
  /** Absolute path; empty when the runtime keeps no log of the container. */
  readonly logPath: string;
}

/**
 * Finds containers in the pod cache, and calls the runtime only for those that are not in it: a followed log checks its
 * container every second.
 */
export class ContainerRecords {
  constructor(
    private readonly service: Pick<RuntimeService, 'containerStatus'>,
    private readonly cache: Pick<PodCache, 'get'>,
    private readonly logger: Logger,
  ) {}

  /** `gone` when the runtime does not know the container, `unknown` when it fails to answer. Rejects only on abort. */
  async find(podUid: string, criId: string, signal: AbortSignal): Promise<ContainerRecord | 'gone' | 'unknown'> {
    const seen = this.lastSeen(podUid, criId);
    return seen ?? this.ask(criId, { signal });
  }

  private lastSeen(podUid: string, criId: string): ContainerRecord | undefined {
    try {
      const found = this.cache.get(podUid).containers.find(({ id }) => id === criId);
      return found === undefined ? undefined : { running: found.state === 'running', logPath: found.logPath };
    } catch (error) {
      this.logger.debug(4, 'The last inspection of the pod failed, asking the runtime', { podUid, error });
      return undefined;
    }
  }

  private async ask(containerId: string, options: CallOptions): Promise<ContainerRecord | 'gone' | 'unknown'> {
    try {
      const { status } = await this.service.containerStatus({ containerId }, options);
      if (status === undefined) return 'unknown';
      return { running: status.state === ContainerState.CONTAINER_RUNNING, logPath: status.logPath };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (hasCode(error, 'not-found')) return 'gone';
      this.logger.debug(2, 'Failed to get container status', { containerId, error });
      return 'unknown';
    }
  }
}
