import type { RuntimeService } from '@podwright/cri-client-interface';
import { messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { TroubleLog } from '@podwright/logging';
import type { Clock } from '@podwright/time';

// A status waits for it.
const timeoutMs = 10_000;

/**
 * Tells the runtime which addresses the cluster gave the node for its pods. Source: kubernetes v1.36
 * pkg/kubelet/kubelet_network.go updatePodCIDR.
 */
export class PodCidr {
  private readonly trouble: TroubleLog;
  private current = '';

  constructor(
    private readonly runtime: Pick<RuntimeService, 'updateRuntimeConfig'>,
    clock: Clock,
    private readonly logger: Logger,
  ) {
    this.trouble = new TroubleLog(logger, clock);
  }

  /**
   * Resolves with whether they changed, which a failure counts as: the runtime may have taken them. Never rejects.
   */
  async update(cidrs: readonly string[], signal: AbortSignal): Promise<boolean> {
    const podCidr = cidrs.join(',');
    if (podCidr === this.current) return false;
    try {
      const runtimeConfig = { networkConfig: { podCidr } };
      await this.runtime.updateRuntimeConfig({ runtimeConfig }, { timeoutMs, signal });
      this.logger.info('Updating Pod CIDR', { originalPodCIDR: this.current, newPodCIDR: podCidr });
      this.trouble.over('The runtime knows the Pod CIDR');
      this.current = podCidr;
    } catch (error) {
      if (!signal.aborted) {
        this.trouble.failed('cidr', `Error updating pod CIDR: failed to update pod CIDR: ${messageOf(error)}`);
      }
    }
    return true;
  }
}
