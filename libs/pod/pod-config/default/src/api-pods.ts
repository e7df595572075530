import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import { KUBE_CLIENT, pods, type Informer, type KubeClient } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { REGISTERED_NODE, type RegisteredNode } from '@podwright/node-status-interface';
import type { ApiPodStore, PodSourceReader } from '@podwright/pod-config-interface';
import type { Clock, Timer } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { API_PODS_CONFIG, type ApiPodsConfig } from './api-pods-config.js';

/**
 * The pods that the API server has bound to this node. Watched only once the Node is known: who admits a pod has to know the
 * node's labels and taints. Pods are taken as they are; what the API server accepted is not judged again. Changes of one
 * turn of the event loop are delivered together, except that a deletion without grace is shown before the pod is gone. Source: kubernetes v1.36 pkg/kubelet/config/apiserver.go.
 */
@injectable()
export class ApiPods implements PodSourceReader, ApiPodStore {
  readonly source = 'api';
  private readonly stopping = new AbortController();
  private readonly listeners = new Set<(pod: Pod) => void>();
  private informer: Informer<Pod> | undefined;
  /** The first list is complete. */
  private listed = false;
  private due: Timer | undefined;

  constructor(
    @inject(KUBE_CLIENT) private readonly client: Pick<KubeClient, 'inform'>,
    @inject(REGISTERED_NODE) private readonly node: Pick<RegisteredNode, 'hasSynced' | 'synced'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(API_PODS_CONFIG) private readonly config: ApiPodsConfig,
  ) {}

  /** Resolves at once: the kubelet's other pods must not wait for an API server. */
  async open(deliver: (pods: readonly Pod[]) => void): Promise<void> {
    if (this.node.hasSynced()) {
      this.begin(deliver);
      return;
    }
    this.logger.info('Waiting for node sync before watching apiserver pods');
    void this.node.synced(this.stopping.signal).then(
      () => this.begin(deliver),
      (error: unknown) => this.logger.debug(4, 'node sync is no longer waited for', { error }),
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
    this.logger.info('Watching apiserver');
    const informer = this.client.inform(pods, { fieldSelector: `spec.nodeName=${this.config.nodeName}` });
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

  // Half of the first list is no full set: who is missing from it would be removed.
  private deliverSoon(informer: Informer<Pod>, deliver: (pods: readonly Pod[]) => void): void {
    if (this.due !== undefined || !this.listed) return;
    this.due = this.clock.setTimer(0, () => this.deliverDue(informer, deliver));
  }

  private deliverDue(informer: Informer<Pod>, deliver: (pods: readonly Pod[]) => void): void {
    if (this.due === undefined) return;
    this.due.cancel();
    this.due = undefined;
    deliver(informer.list());
  }
}

// The object goes in the next change. A kubelet that has not seen this one would give the pod all the time of its spec.
const isDeletedByForce = ({ metadata }: Pod): boolean => metadata.deletionGracePeriodSeconds === 0;

export interface ApiPodsDeps {
  readonly client: Pick<KubeClient, 'inform'>;
  readonly node: Pick<RegisteredNode, 'hasSynced' | 'synced'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes one without a container. */
export function createApiPods(deps: ApiPodsDeps, config: ApiPodsConfig): PodSourceReader & ApiPodStore {
  const { client, node, clock, logger } = deps;
  return new ApiPods(client, node, clock, logger, config);
}
