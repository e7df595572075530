import type { ApiObject } from '@podwright/api-machinery';

/** One change. For a removal, `object` is the last state, with the resource version of the removal. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Key of the resource, `pods` or `leases.coordination.k8s.io`. */
  readonly resource: string;
  readonly key: string;
  readonly object: ApiObject;
  readonly previous: ApiObject | undefined;
  readonly resourceVersion: number;
}

/** The last changes of one resource. It drops older ones, like a watch cache and a compaction. */
export class CollectionHistory {
  private events: StoreEvent[] = [];

  constructor(
    private readonly length: number,
    /** Changes up to and including this version are dropped. */
    public forgottenUpTo: number,
  ) {}

  add(event: StoreEvent): void {
    this.events.push(event);
    // Drops in blocks, so that not every change of a busy resource copies the whole array.
    if (this.events.length > this.length + Math.ceil(this.length / 4)) this.drop(this.events.length - this.length);
  }

  since(resourceVersion: number): readonly StoreEvent[] | undefined {
    if (resourceVersion < this.forgottenUpTo) return undefined;
    return this.events.slice(this.events.findLastIndex((event) => event.resourceVersion <= resourceVersion) + 1);
  }

  compact(resourceVersion: number): void {
    this.drop(this.events.filter((event) => event.resourceVersion <= resourceVersion).length);
    this.forgottenUpTo = Math.max(this.forgottenUpTo, resourceVersion);
  }

  /**
   * The objects at a past version, computed from the current ones; undefined when the history does not reach back so
   * far.
   */
  rollBack(current: ReadonlyMap<string, ApiObject>, resourceVersion: number): Map<string, ApiObject> | undefined {
    const later = this.since(resourceVersion);
    if (later === undefined) return undefined;
    const objects = new Map(current);
    for (const { key, previous } of [...later].reverse()) {
      if (previous === undefined) objects.delete(key);
      else objects.set(key, previous);
    }
    return objects;
  }

  private drop(count: number): void {
    const last = this.events[count - 1];
    if (last === undefined) return;
    this.events = this.events.slice(count);
    this.forgottenUpTo = Math.max(this.forgottenUpTo, last.resourceVersion);
  }
}
