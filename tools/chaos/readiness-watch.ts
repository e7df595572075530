import { nodes, pods, type Informer, type KubeClient } from '@podwright/kube-client-interface';
import type { Node, Pod } from '@podwright/kube-types';
import { ReadinessLog } from './readiness-log.js';

/** Watches the node and all pods of namespace `default` through the API, not through the kubelet. */
export class ReadinessWatch {
  readonly log = new ReadinessLog();
  private readonly informers: readonly Informer<Pod | Node>[];

  constructor(client: KubeClient) {
    const ofPods = client.inform(pods, { namespace: 'default' });
    const ofNodes = client.inform(nodes, {});
    ofPods.watch((change) => {
      if (change.type === 'replaced') return;
      if (change.type === 'deleted') this.log.forget(`pod ${change.object.metadata.name}`);
      else this.note('pod', change.object);
    });
    ofNodes.watch((change) => {
      if (change.type === 'added' || change.type === 'updated') this.note('node', change.object);
    });
    this.informers = [ofPods, ofNodes];
  }

  async start(): Promise<void> {
    for (const informer of this.informers) informer.start();
    await Promise.all(this.informers.map((informer) => informer.synced(AbortSignal.timeout(30_000))));
  }

  async stop(): Promise<void> {
    await Promise.all(this.informers.map((informer) => informer.stop()));
  }

  private note(kind: 'pod' | 'node', { metadata, status }: Pod | Node): void {
    const of = `${kind} ${metadata?.name}`;
    // The end of a pod that somebody deleted is no flip.
    if (metadata?.deletionTimestamp !== undefined) return this.log.forget(of);
    const conditions: readonly { type: string; status: string; reason?: string; message?: string }[] =
      status?.conditions ?? [];
    const ready = conditions.find(({ type }) => type === 'Ready');
    if (ready === undefined) return;
    const { reason = '', message = '' } = ready;
    const says = [reason, message].filter((text) => text !== '').join(': ');
    this.log.observe({ of, atMs: Date.now(), ready: ready.status === 'True', says });
  }
}
