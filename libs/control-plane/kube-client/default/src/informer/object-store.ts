import type { InformerChange, KubeObject } from '@podwright/kube-client-interface';
import { objectKey } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';

/** {@link objectKey} of an object. */
export function objectKeyOf({ metadata }: KubeObject): string {
  return objectKey(metadata?.namespace, metadata?.name ?? '');
}

/** The objects that an informer knows, and its listeners, which are always called after the store has changed. */
export class ObjectStore<T extends KubeObject> {
  private objects = new Map<string, T>();
  private readonly listeners = new Set<(change: InformerChange<T>) => void>();

  constructor(private readonly logger: Logger) {}

  get(namespace: string, name: string): T | undefined {
    return this.objects.get(objectKey(namespace, name));
  }

  list(): readonly T[] {
    return [...this.objects.values()];
  }

  watch(listener: (change: InformerChange<T>) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  clearListeners(): void {
    this.listeners.clear();
  }

  /** Ignores an object with the known resource version. */
  put(object: T): void {
    const key = objectKeyOf(object);
    const old = this.objects.get(key);
    if (old !== undefined && sameVersion(old, object)) return;
    this.objects.set(key, object);
    this.report(old === undefined ? { type: 'added', object } : { type: 'updated', object, old });
  }

  /** `object`: its last state. Ignores an object that the store does not have. */
  delete(object: T): void {
    if (this.objects.delete(objectKeyOf(object))) this.report({ type: 'deleted', object });
  }

  /**
   * Replaces the content by a full list: reports each difference, then `replaced`. Calls `onStored` before the first
   * report.
   */
  replace(objects: readonly T[], onStored: () => void): void {
    const before = this.objects;
    this.objects = new Map(objects.map((object) => [objectKeyOf(object), object]));
    onStored();
    for (const [key, object] of this.objects) {
      const old = before.get(key);
      if (old === undefined) this.report({ type: 'added', object });
      else if (sameVersion(old, object)) this.objects.set(key, old);
      else this.report({ type: 'updated', object, old });
    }
    for (const [key, object] of before) if (!this.objects.has(key)) this.report({ type: 'deleted', object });
    this.report({ type: 'replaced' });
  }

  private report(change: InformerChange<T>): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(change);
      } catch (error) {
        this.logger.error('A listener of an informer failed', { change: change.type, error });
      }
    }
  }
}

function sameVersion(a: KubeObject, b: KubeObject): boolean {
  const version = a.metadata?.resourceVersion;
  return version !== undefined && version === b.metadata?.resourceVersion && a.metadata?.uid === b.metadata?.uid;
}
