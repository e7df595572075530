import { hasCode } from '@podwright/errors';
import { nodeHostIps, unknownHostIp, type Node } from '@podwright/kube-types';
import type { PodSyncConfig } from './pod-sync-config.js';
import type { PodSyncNeeds } from './pod-sync-needs.js';

/**
 * The addresses of the Node, which a cloud provider may choose, for the statuses of pods. When they change, as after a
 * start with another `--node-ip`, pods that show others are synced. Upstream's pods sync a second after the start, when
 * the Node has the new ones already; here they sync at once, and would show the old ones until the next periodic sync.
 */
export class HostAddresses {
  /** What the newest status of each pod shows. */
  private readonly shown = new Map<string, string>();
  private watching = false;

  constructor(
    private readonly deps: Pick<PodSyncNeeds, 'node' | 'registeredNode' | 'workQueue' | 'logger'>,
    private readonly config: Pick<PodSyncConfig, 'hasApiServer'>,
  ) {}

  /** Empty without an API server, as upstream, and while the Node has none. */
  of(podUid: string): readonly string[] {
    if (!this.config.hasApiServer) return [];
    this.watch();
    const addresses = this.current();
    this.shown.set(podUid, addresses.join());
    return addresses;
  }

  forget(podUid: string): void {
    this.shown.delete(podUid);
  }

  private current(): readonly string[] {
    try {
      const node = this.deps.node.getNode();
      const addresses = nodeHostIps(node);
      if (addresses.length === 0) this.deps.logger.debug(4, 'Cannot get host IPs', { error: unknownHostIp(node) });
      return addresses;
    } catch (error) {
      if (!hasCode(error, 'unavailable')) throw error;
      this.deps.logger.debug(4, 'Cannot get host IPs', { error });
      return [];
    }
  }

  /** Until the watch of the Node itself ends. */
  private watch(): void {
    if (this.watching) return;
    this.watching = true;
    this.deps.registeredNode?.watch((node) => node !== undefined && this.changed(node));
  }

  // A Node that has lost its addresses says nothing new, and a pod that shows none is about to be synced anyway.
  private changed(node: Node): void {
    const addresses = nodeHostIps(node).join();
    if (addresses === '') return;
    for (const [podUid, shown] of this.shown) {
      if (shown !== '' && shown !== addresses) this.deps.workQueue.enqueue(podUid, 0);
    }
  }
}
