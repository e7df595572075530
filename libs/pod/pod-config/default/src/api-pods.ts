import { CLOCK, LOGGER, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import { KUBE_CLIENT, pods, type Informer } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';
import { REGISTERED_NODE } from '@podwright/node-status-interface';
import { OFFLINE_OBJECTS } from '@podwright/offline-objects-interface';
import type { ApiPodStore, DeliverPods, PodSourceReader } from '@podwright/pod-config-interface';
import type { Timer } from '@podwright/time';
import type { ApiPodsConfig } from './api-pods-config.js';
import { honouredRestartRules } from './honoured-restart-rules.js';
import { SavedPods } from './saved-pods.js';

export const apiPodsNeeds = needs({
  client: pick(KUBE_CLIENT, 'inform'),
  node: pick(REGISTERED_NODE, 'hasSynced', 'synced'),
  clock: CLOCK,
  logger: LOGGER,
  /** With it, pods start from their saved copies while the API server cannot be reached. */
  offline: optional(OFFLINE_OBJECTS),
});

/**
 * The pods that the API server has bound to this node. Starts the watch once the Node is known, because admission needs
 * the node's labels and taints. Does not validate the pods again. Delivers changes of one turn of the event loop
 * together, except that it delivers a forced deletion before the pod's removal. Source: kubernetes v1.36
 * pkg/kubelet/config/apiserver.go.
 */
export class ApiPods implements PodSourceReader, ApiPodStore {
  readonly source = 'api';
  private readonly stopping = new AbortController();
  private readonly listeners = new Set<(pod: Pod) => void>();
  private readonly honoured: (pod: Pod) => Pod;
  private informer: Informer<Pod> | undefined;
  /** Whether the first list is complete. */
  private listed = false;
  private due: Timer | undefined;
  private readonly saved: SavedPods | undefined;

  constructor(
    private readonly deps: Needs<typeof apiPodsNeeds>,
    private readonly config: ApiPodsConfig,
  ) {
    this.honoured = honouredRestartRules(config);
    this.saved = deps.offline && new SavedPods(deps.offline);
  }

  /** Resolves at once: the kubelet's other pods must not wait for an API server. */
  async open(deliver: DeliverPods): Promise<void> {
    if (this.deps.node.hasSynced()) this.begin(deliver);
    else {
      this.deps.logger.info('Waiting for node sync before watching apiserver pods');
      void this.deps.node.synced(this.stopping.signal).then(
        () => this.begin(deliver),
        (error: unknown) => this.deps.logger.debug(4, 'node sync is no longer waited for', { error }),
      );
    }
    if (this.saved !== undefined) void this.deliverSaved(this.saved, deliver);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    this.due?.cancel();
    this.due = undefined;
    this.listeners.clear();
    await this.informer?.stop();
  }

  get(namespace: string, name: string): Pod | undefined {
    return this.informer?.get(namespace, name);
  }

  hasSynced(): boolean {
    return this.listed;
  }

  watch(listener: (pod: Pod) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async deliverSaved(saved: SavedPods, deliver: DeliverPods): Promise<void> {
    const { signal } = this.stopping;
    const firstList = async (given: AbortSignal): Promise<void> => {
      await this.deps.node.synced(given);
      this.begin(deliver);
      await this.informer?.synced(given);
    };
    const pods = await saved.insteadOf(firstList, signal);
    if (pods.length === 0 || this.listed || signal.aborted) return;
    this.deps.logger.warn('The API server cannot be reached: the pods of this node start as they were saved', {
      pods: pods.length,
    });
    deliver(pods.map(this.honoured), 'remembered');
  }

  private begin(deliver: DeliverPods): void {
    if (this.stopping.signal.aborted || this.informer !== undefined) return;
    this.deps.logger.info('Watching apiserver');
    const informer = this.deps.client.inform(pods, { fieldSelector: `spec.nodeName=${this.config.nodeName}` });
    this.informer = informer;
    this.saved?.follow(informer);
    informer.watch((change) => {
      if (change.type === 'replaced') this.listed = true;
      this.deliverSoon(informer, deliver);
      if (change.type === 'updated' && isDeletedByForce(change.object)) this.deliverDue(informer, deliver);
      if (change.type === 'added' || change.type === 'updated')
        for (const listener of [...this.listeners]) listener(change.object);
    });
    informer.start();
  }

  // Never deliver half of the first list as a full set: its missing pods would be removed.
  private deliverSoon(informer: Informer<Pod>, deliver: DeliverPods): void {
    if (this.due !== undefined || !this.listed) return;
    this.due = this.deps.clock.setTimer(0, () => this.deliverDue(informer, deliver));
  }

  private deliverDue(informer: Informer<Pod>, deliver: DeliverPods): void {
    if (this.due === undefined) return;
    this.due.cancel();
    this.due = undefined;
    deliver(informer.list().map(this.honoured));
  }
}

// The object disappears with the next change. A kubelet that missed this one would give the pod the full grace period
// of its spec.
const isDeletedByForce = ({ metadata }: Pod): boolean => metadata.deletionGracePeriodSeconds === 0;
