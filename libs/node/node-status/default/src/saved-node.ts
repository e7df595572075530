import type { Informer } from '@podwright/kube-client-interface';
import { isNativeResource, type Node, type ResourceList } from '@podwright/kube-types';
import type { OfflineCopy, OfflineObjects, OfflineRef } from '@podwright/offline-objects-interface';

/** What admission and pods need of the Node, and nobody but the API server knows. */
type KnownOfNode = Pick<Node, 'metadata' | 'spec' | 'status'>;

/** The copy of the API server's Node on disk, without heartbeats, images and facts of the machine. */
export class SavedNode {
  private readonly ref: OfflineRef;
  private readonly stopping = new AbortController();
  private copy: OfflineCopy<KnownOfNode> | undefined;
  private built: { readonly local: Node; readonly node: Node } | undefined;

  constructor(
    private readonly offline: OfflineObjects,
    name: string,
  ) {
    this.ref = { kind: 'Node', namespace: '', name };
  }

  /** Reads the copy, which is used at once: a pod must not be refused for a label that only the server has. */
  async start(informer: Informer<Node>): Promise<void> {
    this.copy = await this.offline.get<KnownOfNode>(this.ref);
    informer.watch(() => {
      if (!informer.hasSynced()) return;
      const node = informer.get('', this.ref.name);
      if (node === undefined) this.offline.forget(this.ref);
      else this.offline.keep(this.ref, () => knownOf(node));
    });
    void this.offline
      .away((signal) => informer.synced(signal), this.stopping.signal)
      .then((away) => this.offline.use(away && this.copy !== undefined ? [this.copy] : []));
  }

  stop(): void {
    this.stopping.abort();
  }

  /** The machine's Node with the labels, taints and resources of the copy. The same object for the same argument. */
  completed(local: Node): Node {
    if (this.copy === undefined) return local;
    if (this.built?.local !== local) this.built = { local, node: merged(local, this.copy.object) };
    return this.built.node;
  }
}

/** Set by the control plane for a node without heartbeats: no reason to refuse pods while it cannot see any. */
const taintsOfAbsence = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function knownOf({ metadata = {}, spec = {}, status = {} }: Node): KnownOfNode {
  const { name = '', uid = '', labels = {}, annotations = {} } = metadata;
  const { addresses = [], capacity = {}, allocatable = {} } = status;
  const taints = (spec.taints ?? []).filter(({ key }) => !taintsOfAbsence.includes(key));
  return {
    metadata: { name, uid, labels, annotations },
    spec: { ...spec, taints },
    status: { addresses, capacity, allocatable },
  };
}

function merged(local: Node, { metadata, spec, status }: KnownOfNode): Node {
  const { addresses = [], capacity, allocatable } = local.status ?? {};
  const hasAddress = addresses.some(({ type }) => type === 'InternalIP');
  return {
    ...local,
    metadata: {
      ...local.metadata,
      ...metadata,
      labels: { ...local.metadata?.labels, ...metadata?.labels },
      annotations: { ...local.metadata?.annotations, ...metadata?.annotations },
    },
    spec: { ...local.spec, ...spec },
    status: {
      ...local.status,
      // A cloud provider's, which the machine does not know.
      addresses: hasAddress ? addresses : (status?.addresses ?? addresses),
      capacity: { ...extended(status?.capacity), ...capacity },
      allocatable: { ...extended(status?.allocatable), ...allocatable },
    },
  };
}

const extended = (resources: ResourceList = {}): ResourceList =>
  Object.fromEntries(Object.entries(resources).filter(([name]) => !isNativeResource(name)));
