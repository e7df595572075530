import type { RuntimeService } from '@podwright/cri-client-interface';
import { messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { FailureLog } from '@podwright/logging';
import type { Clock } from '@podwright/time';

// Bounded, because a status update waits for it.
const timeoutMs = 10_000;

/** Sends the node's pod CIDRs to the runtime. Source: kubernetes v1.36 pkg/kubelet/kubelet_network.go updatePodCIDR. */
export class PodCidr {
  private readonly failureLog: FailureLog;
  private current = '';

  constructor(
    private readonly runtime: Pick<RuntimeService, 'updateRuntimeConfig'>,
    clock: Clock,
    private readonly logger: Logger,
    /** How the log begins that it failed. */
    private readonly failure = 'Error updating pod CIDR',
  ) {
    this.failureLog = new FailureLog(logger, clock);
  }

  /** Resolves to whether they changed; true on failure too, as the runtime may have applied them. Never rejects. */
  async update(cidrs: readonly string[], signal: AbortSignal): Promise<boolean> {
    const podCidr = cidrs.join(',');
    if (podCidr === this.current) return false;
    try {
      const runtimeConfig = { networkConfig: { podCidr } };
      await this.runtime.updateRuntimeConfig({ runtimeConfig }, { timeoutMs, signal });
      this.logger.info('Updating Pod CIDR', { originalPodCIDR: this.current, newPodCIDR: podCidr });
      this.failureLog.over('The runtime knows the Pod CIDR');
      this.current = podCidr;
    } catch (error) {
      if (!signal.aborted) {
        this.failureLog.failed('cidr', `${this.failure}: failed to update pod CIDR: ${messageOf(error)}`);
      }
    }
    return true;
  }
}
