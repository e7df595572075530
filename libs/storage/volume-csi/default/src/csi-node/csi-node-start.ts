import { hasCode, messageOf } from '@podwright/errors';
import { csiNodes, type KubeClient } from '@podwright/kube-client-interface';
import type { CsiNode } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { RegisteredNode } from '@podwright/node-status-interface';
import type { Clock } from '@podwright/time';
import { isInitialized } from './csi-node-object.js';
import type { NodeInfo } from './node-info.js';
import { tryRepeatedly, type Tries, type TriesDeps } from './tries.js';
import { whenRegistered } from './when-registered.js';

const pollPeriodMs = 1_000;
// Source: kubernetes v1.36 pkg/volume/csi/csi_plugin.go initializeCSINode: 140 seconds.
const initialization: Tries = { steps: 6, firstMs: 30, factor: 8 };

export interface CsiNodeStartDeps extends TriesDeps {
  readonly client: Pick<KubeClient, 'get'>;
  readonly node: Pick<RegisteredNode, 'current' | 'watch'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly nodeInfo: Pick<NodeInfo, 'initialize'>;
  /** Called with a reason when the CSINode could not be initialized. The process must end. */
  readonly failed: (reason: string) => void;
}

/**
 * Initializes the CSINode; until then the node is not Ready, because the scheduler would place pods without regard to
 * the limits of the drivers. Source: kubernetes v1.36 pkg/volume/csi/csi_plugin.go initializeCSINode.
 */
export class CsiNodeStart {
  private problem: string | undefined = 'CSINode is not yet initialized';

  constructor(
    private readonly deps: CsiNodeStartDeps,
    private readonly nodeName: string,
  ) {}

  /** Why the node is not Ready; undefined once the CSINode is initialized. */
  notReady(): string | undefined {
    return this.problem;
  }

  /** Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { logger, failed } = this.deps;
    try {
      const csiNode = await this.apiServerAnswers(signal);
      // The CSINode needs its owner. A node that is registered late is no reason to end.
      const node = await whenRegistered(this.deps.node, signal);
      // After a restart it is usually as it should be. The node then stays Ready, because no further call is needed.
      if (csiNode === undefined || !isInitialized(csiNode, node))
        await tryRepeatedly(this.deps, initialization, () => this.initialize(signal), signal);
      this.problem = undefined;
    } catch (error) {
      if (signal.aborted) return;
      logger.error('Failed to initialize CSINode after retrying', { error });
      failed(`Failed to initialize CSINode after retrying: ${messageOf(error)}`);
    }
  }

  private async initialize(signal: AbortSignal): Promise<void> {
    try {
      await this.deps.nodeInfo.initialize(signal);
    } catch (error) {
      this.problem = `failed to initialize CSINode: ${messageOf(error)}`;
      if (!signal.aborted) this.deps.logger.error('Failed to initialize CSINode', { error });
      throw error;
    }
  }

  // Reading the CSINode also shows that the kubelet has its final credentials, those of bootstrap may not.
  private async apiServerAnswers(signal: AbortSignal): Promise<CsiNode | undefined> {
    const { client, clock, logger } = this.deps;
    for (;;) {
      try {
        return await client.get(csiNodes, { name: this.nodeName }, { signal, resourceVersion: '0' });
      } catch (error) {
        if (hasCode(error, 'not-found')) return undefined;
        signal.throwIfAborted();
        logger.debug(2, 'Failed to contact API server when waiting for CSINode publishing', { error });
      }
      await clock.sleep(pollPeriodMs, signal);
    }
  }
}
