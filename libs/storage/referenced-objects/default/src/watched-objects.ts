import { KubeletError } from '@podwright/errors';
import type { Informer, KubeClient, KubeObject, ResourceType } from '@podwright/kube-client-interface';
import { objectKey } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { notRegistered, type ObjectStore } from './object-store.js';
import { slimObject } from './slim-object.js';

/** How long one `get` waits for the first list of its object; upstream's value. */
const syncTimeoutMs = 1_000;
/** Longer than usual, because there are hundreds of these watches; upstream's value. */
const minWatchTimeoutMs = 30 * 60_000;
/** Time between checks for idle watches; upstream's value. */
const idleCheckMs = 60_000;

export interface WatchedObjectsDeps {
  readonly client: Pick<KubeClient, 'inform'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface WatchedObjectsOptions<T extends KubeObject> {
  readonly resource: ResourceType<T>;
  /** The word in error messages: `secret`, `configmap`. */
  readonly noun: string;
  /** A watch ends when its object has not been read for this long; the next read starts it again. */
  readonly maxIdleMs: number;
}

interface Item<T extends KubeObject> {
  readonly namespace: string;
  readonly name: string;
  references: number;
  /** Undefined while idle, and for an object that is immutable. */
  informer: Informer<T> | undefined;
  immutable: T | undefined;
  lastReadMs: number;
}

/**
 * Keeps one watch per object, as the node authorizer requires, from the first reference to the last. Ends watches of
 * immutable objects and of those not read for a while: environment variables are read only once per container.
 * Source: kubernetes v1.36 pkg/kubelet/util/manager/watch_based_manager.go.
 */
export class WatchedObjects<T extends KubeObject & { readonly immutable?: boolean }> implements ObjectStore<T> {
  private readonly items = new Map<string, Item<T>>();
  private readonly ending = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private idleChecks: Promise<void> = Promise.resolve();

  constructor(
    private readonly deps: WatchedObjectsDeps,
    private readonly options: WatchedObjectsOptions<T>,
  ) {}

  start(): void {
    this.idleChecks = this.deps.clock.every(idleCheckMs, () => this.endIdleWatches(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    for (const item of this.items.values()) this.endWatch(item);
    this.items.clear();
    await Promise.all([this.idleChecks, ...this.ending]);
  }

  addReference(namespace: string, name: string): void {
    const key = objectKey(namespace, name);
    const item = this.items.get(key) ?? this.newItem(namespace, name);
    this.items.set(key, item);
    item.references += 1;
  }

  deleteReference(namespace: string, name: string): void {
    const key = objectKey(namespace, name);
    const item = this.items.get(key);
    if (item === undefined) return;
    item.references -= 1;
    if (item.references > 0) return;
    this.items.delete(key);
    this.endWatch(item);
  }

  async get(namespace: string, name: string): Promise<T> {
    const item = this.items.get(objectKey(namespace, name));
    if (item === undefined) throw notRegistered(namespace, name);
    // Even if this read fails: a pod that retries must find the watch running.
    item.lastReadMs = this.deps.clock.monotonic();
    if (item.immutable !== undefined) return item.immutable;
    const informer = (item.informer ??= this.watch(namespace, name));
    if (!informer.hasSynced()) await this.firstList(informer);
    const object = informer.get(namespace, name);
    if (object === undefined) throw new KubeletError(`${this.options.noun} "${name}" not found`, { code: 'not-found' });
    if (object.immutable === true) this.keepForGood(item, object);
    return object;
  }

  private newItem(namespace: string, name: string): Item<T> {
    const informer = this.watch(namespace, name);
    return { namespace, name, references: 0, informer, immutable: undefined, lastReadMs: -Infinity };
  }

  private watch(namespace: string, name: string): Informer<T> {
    const fieldSelector = `metadata.name=${name}`;
    const options = { namespace, fieldSelector, transform: slimObject<T>, minWatchTimeoutMs };
    const informer = this.deps.client.inform(this.options.resource, options);
    informer.start();
    return informer;
  }

  private async firstList(informer: Informer<T>): Promise<void> {
    const deadline = this.deps.clock.deadline(syncTimeoutMs, this.stopping.signal);
    try {
      await informer.synced(deadline.signal);
    } catch (cause) {
      const message = `failed to sync ${this.options.noun} cache: timed out waiting for the condition`;
      throw new KubeletError(message, { code: 'unavailable', cause });
    } finally {
      deadline.dispose();
    }
  }

  private keepForGood(item: Item<T>, object: T): void {
    item.immutable = object;
    this.endWatch(item);
    const { namespace, name } = item;
    this.deps.logger.debug(4, 'Stopped watching for changes - object is immutable', { namespace, name });
  }

  // Let a first list in progress finish: to repeat it would burden a busy API server.
  private endIdleWatches(): void {
    const { clock, logger } = this.deps;
    const { maxIdleMs } = this.options;
    for (const item of this.items.values()) {
      if (item.informer?.hasSynced() !== true || clock.monotonic() <= item.lastReadMs + maxIdleMs) continue;
      this.endWatch(item);
      const { namespace, name } = item;
      logger.debug(4, 'Not acquired for long time, Stopped watching for changes', { namespace, name, maxIdleMs });
    }
  }

  private endWatch(item: Item<T>): void {
    const { informer, namespace, name } = item;
    item.informer = undefined;
    if (informer === undefined) return;
    const ended = informer
      .stop()
      .catch((error: unknown) => this.deps.logger.error('Watch did not end', { namespace, name, error }))
      .finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }
}
