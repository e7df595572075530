import { CLOCK, LOGGER, decodeOptions } from '@podwright/assembly-interface';
import { RUNTIME_STATE, type RuntimeState } from '@podwright/container-runtime-interface';
import { RUNTIME_CONNECTION, type RuntimeConnection } from '@podwright/cri-client-interface';
import { KUBE_CLIENT, nodes, type Informer, type KubeClient } from '@podwright/kube-client-interface';
import type { Node } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { NodeSource, RegisteredNode } from '@podwright/node-status-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { LOCAL_NODE_CONFIG, localNodeConfigSchema, type LocalNodeConfig } from './local-node-config.js';
import { LocalNode } from './local-node.js';

type Client = Pick<KubeClient, 'get' | 'inform'>;

/**
 * {@link NodeSource} of a node of a cluster: the API server's object, watched; as long as there is none, what the kubelet
 * would register. Source: kubernetes v1.36 pkg/kubelet/kubelet.go nodeLister, kubelet_getters.go getNodeAnyWay.
 */
@injectable()
export class ApiNode implements NodeSource, RegisteredNode {
  private readonly local: LocalNode;
  private readonly informer: Informer<Node>;

  constructor(
    @inject(RUNTIME_STATE) runtime: Pick<RuntimeState, 'features' | 'handlers'>,
    @inject(RUNTIME_CONNECTION) connection: Pick<RuntimeConnection, 'runtimeName' | 'runtimeVersion'>,
    @inject(KUBE_CLIENT) private readonly client: Client,
    @inject(CLOCK) clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(LOCAL_NODE_CONFIG) private readonly config: LocalNodeConfig,
  ) {
    this.local = new LocalNode(runtime, connection, clock, logger, config);
    this.informer = client.inform(nodes, { fieldSelector: `metadata.name=${config.nodeName}` });
  }

  /** Resolves when the machine has been read; the API server may be away. Rejects when more is reserved than there is. */
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
    return this.client.get(nodes, { name: this.config.nodeName }, { signal });
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

export interface ApiNodeDeps {
  readonly runtime: Pick<RuntimeState, 'features' | 'handlers'>;
  readonly connection: Pick<RuntimeConnection, 'runtimeName' | 'runtimeVersion'>;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes one without a container; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export function createApiNode(
  { runtime, connection, client, clock, logger }: ApiNodeDeps,
  options: Partial<LocalNodeConfig> & Pick<LocalNodeConfig, 'nodeName'>,
): NodeSource & RegisteredNode {
  const config = decodeOptions('node-status', localNodeConfigSchema, options);
  return new ApiNode(runtime, connection, client, clock, logger, config);
}
