import { needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { KUBE_CLIENT, nodes, type Informer } from '@podwright/kube-client-interface';
import type { Node } from '@podwright/kube-types';
import { OFFLINE_OBJECTS } from '@podwright/offline-objects-interface';
import type { NodeSource, RegisteredNode } from '@podwright/node-status-interface';
import type { LocalNodeConfig } from './local-node-config.js';
import { SavedNode } from './saved-node.js';
import { LocalNode, localNodeNeeds } from './local-node.js';

export const apiNodeNeeds = needs({
  ...localNodeNeeds,
  client: pick(KUBE_CLIENT, 'get', 'inform'),
  /** With it, the Node has what the API server knew of it, until the server answers. */
  offline: optional(OFFLINE_OBJECTS),
});
export type ApiNodeNeeds = Needs<typeof apiNodeNeeds>;

/**
 * {@link NodeSource} that watches the API server's Node; until there is one, returns the Node that the kubelet would
 * register, with what the server knew of it before where that is kept. Source: kubernetes v1.36 pkg/kubelet/kubelet.go nodeLister, kubelet_getters.go getNodeAnyWay.
 */
export class ApiNode implements NodeSource, RegisteredNode {
  private readonly local: LocalNode;
  private readonly informer: Informer<Node>;
  private readonly saved: SavedNode | undefined;

  constructor(
    private readonly deps: ApiNodeNeeds,
    private readonly config: LocalNodeConfig,
  ) {
    this.local = new LocalNode(deps, config);
    this.informer = deps.client.inform(nodes, { fieldSelector: `metadata.name=${config.nodeName}` });
    this.saved = deps.offline && new SavedNode(deps.offline, config.nodeName);
  }

  /**
   * Resolves when the machine has been read, even without the API server. Rejects when the reservations exceed the
   * capacity.
   */
  async start(): Promise<void> {
    await this.local.start();
    await this.saved?.start(this.informer);
    this.informer.start();
  }

  async stop(): Promise<void> {
    this.saved?.stop();
    await Promise.all([this.informer.stop(), this.local.stop()]);
  }

  getNode(): Node {
    const current = this.current();
    if (current !== undefined) return current;
    const local = this.local.getNode();
    // The server may have deleted the Node.
    return this.hasSynced() || this.saved === undefined ? local : this.saved.completed(local);
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
