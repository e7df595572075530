import type { CallOptions, RuntimeService } from '@podwright/cri-client-interface';
import { ContainerState } from '@podwright/cri-client-interface';
import { hasCode } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { PodCache } from '@podwright/pod-cache-interface';

/** What the runtime tells of a container whose log is read. */
export interface ContainerRecord {
  readonly running: boolean;
  /** Empty when the runtime keeps no log of it. */
  readonly logPath: string;
}

/**
 * Looks containers up in what the kubelet has seen last, and asks the runtime only for those it has not seen: a followed log
 * wants to know each second.
 */
export class ContainerRecords {
  constructor(
    private readonly service: Pick<RuntimeService, 'containerStatus'>,
    private readonly cache: Pick<PodCache, 'get'>,
    private readonly logger: Logger,
  ) {}

  /** `gone` when the runtime does not know it, `unknown` when the runtime cannot tell. Rejects only when the signal aborts. */
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
