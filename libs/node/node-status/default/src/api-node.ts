import { needs, pick, type Needs } from '@podwright/assembly-interface';
import { KUBE_CLIENT, nodes, type Informer } from '@podwright/kube-client-interface';
import type { Node } from '@podwright/kube-types';
import type { NodeSource, RegisteredNode } from '@podwright/node-status-interface';
import type { LocalNodeConfig } from './local-node-config.js';
import { LocalNode, localNodeNeeds } from './local-node.js';

export const apiNodeNeeds = needs({ ...localNodeNeeds, client: pick(KUBE_CLIENT, 'get', 'inform') });
export type ApiNodeNeeds = Needs<typeof apiNodeNeeds>;

/**
 * {@link NodeSource} that watches the API server's Node; until there is one, returns the Node that the kubelet would
 * register. Source: kubernetes v1.36 pkg/kubelet/kubelet.go nodeLister, kubelet_getters.go getNodeAnyWay.
 */
export class ApiNode implements NodeSource, RegisteredNode {
  private readonly local: LocalNode;
  private readonly informer: Informer<Node>;

  constructor(
    private readonly deps: ApiNodeNeeds,
    private readonly config: LocalNodeConfig,
  ) {
    this.local = new LocalNode(deps, config);
    this.informer = deps.client.inform(nodes, { fieldSelector: `metadata.name=${config.nodeName}` });
  }

  /**
   * Resolves when the machine has been read, even without the API server. Rejects when the reservations exceed the
   * capacity.
   */
  async start(): Promise<void> {
    await this.local.start();
    this.informer.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.informer.stop(), this.local.stop()]);
  }

  getNode(): Node {
    return this.current() ?? this.local.getNode();
  }

  async fetchNode(signal: AbortSignal): Promise<Node> {
    signal.throwIfAborted();
    return this.deps.client.get(nodes, { name: this.config.nodeName }, { signal });
  }

  declaredFeatures(): readonly string[] {
    return this.local.declaredFeatures();
  }

  current(): Node | undefined {
    return this.informer.get('', this.config.nodeName);
  }

  hasSynced(): boolean {
    return this.informer.hasSynced();
  }

  synced(signal: AbortSignal): Promise<void> {
    return this.informer.synced(signal);
  }

  watch(listener: (node: Node | undefined) => void): () => void {
    return this.informer.watch(({ type }) => {
      if (type !== 'replaced') listener(this.current());
    });
  }
}
