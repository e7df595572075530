import type { ApiObject } from '@podwright/api-machinery';
import { CollectionHistory, type StoreEvent } from './collection-history.js';
import { ObjectIndex, type IndexedValues } from './object-index.js';
import { ensure, StoreListeners, type ListenerInterest } from './store-listeners.js';

export interface ObjectStoreOptions {
  /** How many changes per resource to keep for watches that start in the past. */
  readonly historyLength: number;
}

/** The objects of one resource at a version, sorted by key. */
export interface Snapshot {
  readonly resourceVersion: number;
  readonly objects: ReadonlyMap<string, ApiObject>;
}

/**
 * Stores objects by resource and key (`namespace/name`, or just the name), with one version counter for all, like etcd.
 * Writes are synchronous and call the listeners in order. The store does not check anything.
 */
export class ObjectStore {
  private revision = 1;
  private readonly collections = new Map<string, Map<string, ApiObject>>();
  private readonly histories = new Map<string, CollectionHistory>();
  private readonly listeners = new StoreListeners();
  private readonly indexes: {
    readonly index: ObjectIndex;
    readonly resource: string | undefined;
    readonly valuesOf: IndexedValues;
  }[] = [];

  constructor(private readonly options: ObjectStoreOptions) {}

  /** The newest resource version. */
  get resourceVersion(): number {
    return this.revision;
  }

  get(resource: string, key: string): ApiObject | undefined {
    return this.collections.get(resource)?.get(key);
  }

  /** The objects in insertion order; {@link snapshot} sorts them. */
  values(resource: string): Iterable<ApiObject> {
    return this.collections.get(resource)?.values() ?? [];
  }

  /** Stores an object; returns it with its new resource version. */
  put(resource: string, key: string, object: ApiObject): ApiObject {
    const collection = this.collection(resource);
    const previous = collection.get(key);
    const stored = this.stamped(object);
    collection.set(key, stored);
    this.record({ type: previous === undefined ? 'ADDED' : 'MODIFIED', resource, key, object: stored, previous });
    return stored;
  }

  /** Removes an object; returns it with the resource version of the removal. */
  remove(resource: string, key: string): ApiObject | undefined {
    const collection = this.collection(resource);
    const previous = collection.get(key);
    if (previous === undefined) return undefined;
    collection.delete(key);
    const object = this.stamped(previous);
    this.record({ type: 'DELETED', resource, key, object, previous });
    return object;
  }

  /**
   * The matching objects at `resourceVersion`, by default now; undefined when the history does not reach back so far.
   */
  snapshot(resource: string, matches: (object: ApiObject) => boolean, resourceVersion?: number): Snapshot | undefined {
    const current = this.collection(resource);
    const objects = resourceVersion === undefined ? current : this.history(resource).rollBack(current, resourceVersion);
    if (objects === undefined) return undefined;
    const ordered: [string, ApiObject][] = [];
    for (const entry of objects) if (matches(entry[1])) ordered.push(entry);
    ordered.sort(([left], [right]) => (left < right ? -1 : 1));
    return { resourceVersion: resourceVersion ?? this.revision, objects: new Map(ordered) };
  }

  /** The changes of the resource after that version, oldest first; undefined when some of them were dropped. */
  since(resource: string, resourceVersion: number): readonly StoreEvent[] | undefined {
    return this.history(resource).since(resourceVersion);
  }

  /** The oldest version at which a watch of the resource can start. */
  oldest(resource: string): number {
    return this.history(resource).forgottenUpTo;
  }

  /** Drops the history up to that version, by default all of it: older watches and lists get 410. */
  compact(resourceVersion: number = this.revision): void {
    for (const resource of new Set([...this.collections.keys(), ...this.histories.keys()])) {
      this.history(resource).compact(resourceVersion);
    }
    this.compactedUpTo = Math.max(this.compactedUpTo, resourceVersion);
  }

  /** The objects of a resource, by default of all, by their values. The same function gives the same index. */
  index(valuesOf: IndexedValues, resource?: string): ObjectIndex {
    const known = this.indexes.find((one) => one.valuesOf === valuesOf && one.resource === resource);
    if (known !== undefined) return known.index;
    const index = new ObjectIndex(valuesOf);
    for (const [of, collection] of this.collections) {
      if (resource !== undefined && of !== resource) continue;
      for (const [key, object] of collection)
        index.apply({ type: 'ADDED', resource: of, key, object, previous: undefined });
    }
    this.indexes.push({ index, resource, valuesOf });
    return index;
  }

  /** Calls the listener synchronously after each write that it is interested in. Returns unsubscribe. */
  watch(listener: (event: StoreEvent) => void, interest?: ListenerInterest): () => void {
    return this.listeners.add(listener, interest);
  }

  private compactedUpTo = 0;

  private record(event: Omit<StoreEvent, 'resourceVersion'>): void {
    const complete: StoreEvent = { ...event, resourceVersion: this.revision };
    this.history(event.resource).add(complete);
    for (const { index, resource = event.resource } of this.indexes)
      if (resource === event.resource) index.apply(event);
    this.listeners.tell(complete);
  }

  private stamped(object: ApiObject): ApiObject {
    this.revision += 1;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.revision) } };
  }

  private collection(resource: string): Map<string, ApiObject> {
    return ensure(this.collections, resource, () => new Map<string, ApiObject>());
  }

  private history(resource: string): CollectionHistory {
    return ensure(
      this.histories,
      resource,
      () => new CollectionHistory(this.options.historyLength, this.compactedUpTo),
    );
  }
}
