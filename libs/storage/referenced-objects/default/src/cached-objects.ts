import { hasCode } from '@podwright/errors';
import type { KubeClient, KubeObject, ResourceType } from '@podwright/kube-client-interface';
import { objectKey } from '@podwright/kube-types';
import type { Clock } from '@podwright/time';
import { notRegistered, type ObjectStore } from './object-store.js';
import { slimObject } from './slim-object.js';

export interface CachedObjectsDeps {
  readonly client: Pick<KubeClient, 'get'>;
  readonly clock: Clock;
  /** How long an object counts as fresh; evaluated at each read, because the cluster can change it. */
  readonly ttlMs: () => number;
}

interface Data<T> {
  object?: T;
  /** A cached not-found error, returned while the API server does not answer. */
  notFound?: unknown;
  updatedMs: number;
  fetching?: Promise<T>;
}

interface Item<T> {
  references: number;
  data: Data<T>;
}

/**
 * Fetches an object when the cached one is too old. A new reference expires it, so that a new pod sees everything
 * written before it. Concurrent reads of an object share a call.
 * Source: kubernetes v1.36 pkg/kubelet/util/manager/cache_based_manager.go.
 */
export class CachedObjects<T extends KubeObject> implements ObjectStore<T> {
  private readonly items = new Map<string, Item<T>>();

  constructor(
    private readonly deps: CachedObjectsDeps,
    private readonly resource: ResourceType<T>,
  ) {}

  start(): void {
    // Nothing runs between reads.
  }

  async stop(): Promise<void> {
    this.items.clear();
  }

  addReference(namespace: string, name: string): void {
    const key = objectKey(namespace, name);
    const references = (this.items.get(key)?.references ?? 0) + 1;
    this.items.set(key, { references, data: { updatedMs: -Infinity } });
  }

  deleteReference(namespace: string, name: string): void {
    const key = objectKey(namespace, name);
    const item = this.items.get(key);
    if (item === undefined) return;
    item.references -= 1;
    if (item.references === 0) this.items.delete(key);
  }

  async get(namespace: string, name: string): Promise<T> {
    const data = this.items.get(objectKey(namespace, name))?.data;
    if (data === undefined) throw notRegistered(namespace, name);
    const { object, notFound, updatedMs } = data;
    const isFresh = this.deps.clock.monotonic() < updatedMs + this.deps.ttlMs();
    if (object !== undefined && notFound === undefined && isFresh) return object;
    data.fetching ??= this.fetch(data, namespace, name).finally(() => delete data.fetching);
    return data.fetching;
  }

  private async fetch(data: Data<T>, namespace: string, name: string): Promise<T> {
    const isRefresh = data.object !== undefined && data.notFound === undefined;
    try {
      // A refresh may come from the API server's cache; the first read must be as new as the pod.
      const options = isRefresh ? { resourceVersion: '0' } : {};
      const object = slimObject(await this.deps.client.get(this.resource, { namespace, name }, options));
      if (!isOlder(object, data.object)) this.keep(data, { object });
    } catch (error) {
      if (hasCode(error, 'not-found')) this.keep(data, { notFound: error });
      // A stale object is better than none.
      else if (data.object === undefined && data.notFound === undefined) throw error;
    }
    if (data.object === undefined) throw data.notFound;
    return data.object;
  }

  private keep(data: Data<T>, { object, notFound }: Pick<Data<T>, 'object' | 'notFound'>): void {
    delete data.object;
    delete data.notFound;
    Object.assign(data, object === undefined ? { notFound } : { object });
    data.updatedMs = this.deps.clock.monotonic();
  }
}

/** As upstream, compares resource versions as numbers. */
function isOlder(found: KubeObject, kept: KubeObject | undefined): boolean {
  return kept !== undefined && Number(found.metadata?.resourceVersion) < Number(kept.metadata?.resourceVersion);
}
