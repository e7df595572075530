import { Mutex } from '@podwright/concurrency';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { csiNodes, nodes, type KubeClient } from '@podwright/kube-client-interface';
import type { CsiNode, Node } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { NodeGetInfoResponse } from '@podwright/volume-csi-interface';
import { foreignOwner, newCsiNode, withDriver, withMigratedPlugins, withoutDriver } from './csi-node-object.js';
import { addedDriver, removedDriver, type NodePatch } from './node-driver-change.js';
import { tryRepeatedly, type Tries, type TriesDeps } from './tries.js';

// Source: kubernetes v1.36 pkg/volume/csi/nodeinfomanager/nodeinfomanager.go updateBackoff.
const updates: Tries = { steps: 4, firstMs: 10, factor: 5 };
const mostVolumes = 2n ** 31n - 1n;

export interface NodeInfoDeps extends TriesDeps {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update' | 'patch' | 'delete'>;
  readonly logger: Logger;
}

/**
 * Writes what the drivers say about the node to its Node and CSINode objects. Each update reads first and is tried four
 * times; rejections have upstream's text. Source: kubernetes v1.36
 * pkg/volume/csi/nodeinfomanager/nodeinfomanager.go.
 */
export class NodeInfo {
  private readonly lock = new Mutex();

  constructor(
    private readonly deps: NodeInfoDeps,
    private readonly nodeName: string,
  ) {}

  /** Creates the CSINode, or brings its annotation up to date. */
  initialize(signal: AbortSignal): Promise<void> {
    const update = async (): Promise<void> => {
      const csiNode = await this.ownCsiNode(signal);
      await this.write(withMigratedPlugins(csiNode), signal);
    };
    return this.tried('error updating CSINode annotation', signal, update, { ...updates, tells: 'last' });
  }

  async install(driver: string, info: NodeGetInfoResponse, signal: AbortSignal): Promise<void> {
    const { nodeId, accessibleTopology } = info;
    if (nodeId === '') {
      const message = 'error adding CSI driver node info: driverNodeID must not be empty';
      throw new KubeletError(message, { code: 'invalid-argument' });
    }
    await this.changeNode('error updating Node object with CSI driver node info: error updating node', signal, (node) =>
      addedDriver(node, driver, nodeId, accessibleTopology?.segments ?? {}),
    );
    await this.update(driver, info, signal);
  }

  /** Brings the driver's entry in CSINode up to date, and leaves the Node as it is. */
  async update(driver: string, info: NodeGetInfoResponse, signal: AbortSignal): Promise<void> {
    const { nodeId, accessibleTopology, maxVolumesPerNode } = info;
    const topologyKeys = Object.keys(accessibleTopology?.segments ?? {});
    const entry = { name: driver, nodeId, topologyKeys, count: this.countOf(driver, maxVolumesPerNode) };
    const what = 'error updating CSINode object with CSI driver node info: error updating CSINode';
    await this.tried(what, signal, async () => {
      const csiNode = await this.ownCsiNode(signal);
      await this.write(withDriver(csiNode, entry), signal);
    });
  }

  async uninstall(driver: string, signal: AbortSignal): Promise<void> {
    const what = 'error uninstalling CSI driver from CSINode object error updating CSINode';
    await this.tried(what, signal, async () => {
      const csiNode = await this.csiNode(signal);
      if (csiNode !== undefined) await this.write(withoutDriver(csiNode, driver), signal);
    });
    await this.changeNode('error removing CSI driver node info from Node object error updating node', signal, (node) =>
      removedDriver(node, driver),
    );
  }

  private async tried(what: string, signal: AbortSignal, update: () => Promise<void>, tries = updates): Promise<void> {
    try {
      await tryRepeatedly(this.deps, tries, () => this.lock.run(update, { signal }), signal);
    } catch (error) {
      throw new KubeletError(`${what}: ${messageOf(error)}`, { code: KubeletError.from(error).code, cause: error });
    }
  }

  private async changeNode(
    what: string,
    signal: AbortSignal,
    change: (node: Node) => NodePatch | undefined,
  ): Promise<void> {
    await this.tried(what, signal, async () => {
      const body = change(await this.node(signal));
      if (body === undefined) return;
      // Through the status, because a kubelet may not always update its Node itself.
      const patch = { type: 'strategic-merge', body } as const;
      await this.deps.client.patch(nodes, { name: this.nodeName }, patch, { subresource: 'status', signal });
    });
  }

  private node(signal: AbortSignal): Promise<Node> {
    return this.deps.client.get(nodes, { name: this.nodeName }, { signal });
  }

  private async csiNode(signal: AbortSignal): Promise<CsiNode | undefined> {
    try {
      return await this.deps.client.get(csiNodes, { name: this.nodeName }, { signal });
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  /** Creates the CSINode if it is missing. Deletes one of an earlier Node of this name and rejects: the next try creates it. */
  private async ownCsiNode(signal: AbortSignal): Promise<CsiNode> {
    const { client, logger } = this.deps;
    const { nodeName: name } = this;
    const csiNode = await this.csiNode(signal);
    const node = await this.node(signal);
    if (csiNode === undefined) return client.create(csiNodes, newCsiNode(node), { signal });
    const owner = foreignOwner(csiNode, node);
    if (owner === undefined) return csiNode;
    const uids = { oldNodeID: owner, newNodeID: node.metadata?.uid ?? '' };
    logger.info('existing CSINode is owned by different node, cleaning up...', { csiNode: name, ...uids });
    const { uid } = csiNode.metadata ?? {};
    await client
      .delete(csiNodes, { name }, { signal, ...(uid !== undefined && { preconditions: { uid } }) })
      .catch((error: unknown) => {
        const message = `error deleting existing CSINode ${JSON.stringify(name)}: ${messageOf(error)}`;
        throw new KubeletError(message, { code: KubeletError.from(error).code, cause: error });
      });
    const both = Object.entries(uids).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    throw new KubeletError(
      `CSINode ${JSON.stringify(name)} was owned by different node (${both.join(', ')}), deleted it`,
      { code: 'aborted' },
    );
  }

  private async write(csiNode: CsiNode | undefined, signal: AbortSignal): Promise<void> {
    if (csiNode !== undefined) await this.deps.client.update(csiNodes, csiNode, { signal });
  }

  private countOf(driver: string, maxVolumes: bigint): number | undefined {
    const { logger } = this.deps;
    if (maxVolumes < 0n)
      logger.error('Invalid attach limit value cannot be added to CSINode object', { driver, limit: `${maxVolumes}` });
    if (maxVolumes <= 0n) return undefined;
    if (maxVolumes <= mostVolumes) return Number(maxVolumes);
    logger.warn('Exceeded max supported attach limit value, truncating it', { driver, to: `${mostVolumes}` });
    return Number(mostVolumes);
  }
}
