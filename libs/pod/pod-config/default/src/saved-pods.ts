import type { Informer } from '@podwright/kube-client-interface';
import { isMirrorPod, objectKey, type Pod } from '@podwright/kube-types';
import type { OfflineObjects, OfflineRef } from '@podwright/offline-objects-interface';

/**
 * The copies of the API server's pods on disk, with their statuses: a pod that has ended must not run again. Leaves out
 * mirror pods, because static pods start from their manifests.
 */
export class SavedPods {
  constructor(private readonly offline: OfflineObjects) {}

  /** Keeps what the API server shows, and forgets what it no longer has. */
  follow(informer: Informer<Pod>): void {
    informer.watch((change) => {
      if (change.type === 'replaced') this.forgetAllBut(informer.list());
      else if (isMirrorPod(change.object)) return;
      else if (change.type === 'deleted') this.offline.forget(refOf(change.object));
      else this.offline.keep(refOf(change.object), change.object);
    });
  }

  /** The saved pods, if the first list does not come because the API server is away; else none. */
  async insteadOf(firstList: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<readonly Pod[]> {
    if (!(await this.offline.away(firstList, signal))) return [];
    const copies = await this.offline.list<Pod>('Pod');
    this.offline.use(copies);
    return copies.map(({ object }) => object);
  }

  private forgetAllBut(pods: readonly Pod[]): void {
    const keys = new Set(pods.map(({ metadata }) => objectKey(metadata.namespace, metadata.name ?? '')));
    for (const ref of this.offline.refs('Pod')) {
      if (!keys.has(objectKey(ref.namespace, ref.name))) this.offline.forget(ref);
    }
  }
}

const refOf = ({ metadata: { namespace = '', name = '' } }: Pod): OfflineRef => ({ kind: 'Pod', namespace, name });
