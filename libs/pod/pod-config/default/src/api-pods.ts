import { CLOCK, LOGGER, needs, pick, type Needs } from '@podwright/assembly-interface';
import { KUBE_CLIENT, pods, type Informer } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';
import { REGISTERED_NODE } from '@podwright/node-status-interface';
import type { ApiPodStore, PodSourceReader } from '@podwright/pod-config-interface';
import type { Timer } from '@podwright/time';
import type { ApiPodsConfig } from './api-pods-config.js';
import { honouredRestartRules } from './honoured-restart-rules.js';

export const apiPodsNeeds = needs({
  client: pick(KUBE_CLIENT, 'inform'),
  node: pick(REGISTERED_NODE, 'hasSynced', 'synced'),
  clock: CLOCK,
  logger: LOGGER,
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

  constructor(
    private readonly deps: Needs<typeof apiPodsNeeds>,
    private readonly config: ApiPodsConfig,
  ) {
    this.honoured = honouredRestartRules(config);
  }

  /** Resolves at once: the kubelet's other pods must not wait for an API server. */
  async open(deliver: (pods: readonly Pod[]) => void): Promise<void> {
    if (this.deps.node.hasSynced()) {
      this.begin(deliver);
      return;
    }
    this.deps.logger.info('Waiting for node sync before watching apiserver pods');
    void this.deps.node.synced(this.stopping.signal).then(
      () => this.begin(deliver),
      (error: unknown) => this.deps.logger.debug(4, 'node sync is no longer waited for', { error }),
    );
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

  private begin(deliver: (pods: readonly Pod[]) => void): void {
    if (this.stopping.signal.aborted) return;
    this.deps.logger.info('Watching apiserver');
    const informer = this.deps.client.inform(pods, { fieldSelector: `spec.nodeName=${this.config.nodeName}` });
    this.informer = informer;
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
  private deliverSoon(informer: Informer<Pod>, deliver: (pods: readonly Pod[]) => void): void {
    if (this.due !== undefined || !this.listed) return;
    this.due = this.deps.clock.setTimer(0, () => this.deliverDue(informer, deliver));
  }

  private deliverDue(informer: Informer<Pod>, deliver: (pods: readonly Pod[]) => void): void {
    if (this.due === undefined) return;
    this.due.cancel();
    this.due = undefined;
    deliver(informer.list().map(this.honoured));
  }
}

// The object disappears with the next change. A kubelet that missed this one would give the pod the full grace period
// of its spec.
const isDeletedByForce = ({ metadata }: Pod): boolean => metadata.deletionGracePeriodSeconds === 0;
