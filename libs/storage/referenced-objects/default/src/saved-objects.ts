import { hasCode } from '@podwright/errors';
import type { KubeObject } from '@podwright/kube-client-interface';
import { isServerAway, type OfflineObjects, type OfflineRef } from '@podwright/offline-objects-interface';
import type { ObjectStore } from './object-store.js';

/** Undefined for kinds that nobody keeps. */
export function savedObjects<T extends KubeObject>(
  inner: ObjectStore<T>,
  offline: OfflineObjects,
  kind: string,
): SavedObjects<T> | undefined {
  return kind === 'Secret' || kind === 'ConfigMap' ? new SavedObjects(inner, offline, kind) : undefined;
}

/**
 * {@link ObjectStore} that keeps on disk what another one gets, and gives it when the API server cannot be reached.
 * Never in place of an answer: an object that the server refuses, or does not have, is not given.
 */
export class SavedObjects<T extends KubeObject> implements ObjectStore<T> {
  constructor(
    private readonly inner: ObjectStore<T>,
    private readonly offline: OfflineObjects,
    private readonly kind: 'Secret' | 'ConfigMap',
  ) {}

  start(): void {
    this.inner.start();
  }

  stop(): Promise<void> {
    return this.inner.stop();
  }

  addReference(namespace: string, name: string): void {
    this.inner.addReference(namespace, name);
  }

  deleteReference(namespace: string, name: string): void {
    this.inner.deleteReference(namespace, name);
  }

  async get(namespace: string, name: string): Promise<T> {
    const ref: OfflineRef = { kind: this.kind, namespace, name };
    try {
      const object = await this.inner.get(namespace, name);
      this.offline.keep(ref, object);
      return object;
    } catch (error) {
      if (hasCode(error, 'not-found')) this.offline.forget(ref);
      const copy = isServerAway(error) ? await this.offline.get<T>(ref) : undefined;
      if (copy === undefined) throw error;
      this.offline.use([copy]);
      return copy.object;
    }
  }

  /** Removes from the disk what no pod needs any more. */
  forgetAllBut(isNeeded: (namespace: string, name: string) => boolean): void {
    for (const ref of this.offline.refs(this.kind)) {
      if (!isNeeded(ref.namespace, ref.name)) this.offline.forget(ref);
    }
  }
}
