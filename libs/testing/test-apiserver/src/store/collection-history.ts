import type { ApiObject } from '../api-object.js';

/** One change. `object` of a removal is the last state with the version of the removal. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Key of the resource, `pods` or `leases.coordination.k8s.io`. */
  readonly resource: string;
  readonly key: string;
  readonly object: ApiObject;
  readonly previous: ApiObject | undefined;
  readonly resourceVersion: number;
}

/** The last changes of one resource; older ones are forgotten, as a watch cache and compaction do. */
export class CollectionHistory {
  private events: StoreEvent[] = [];

  constructor(
    private readonly length: number,
    /** Changes up to and with this version cannot be told any more. */
    public forgottenUpTo: number,
  ) {}

  add(event: StoreEvent): void {
    this.events.push(event);
    // In blocks, so that a busy resource does not move the whole array with each change.
    if (this.events.length > this.length + Math.ceil(this.length / 4)) this.drop(this.events.length - this.length);
  }

  since(resourceVersion: number): readonly StoreEvent[] | undefined {
    if (resourceVersion < this.forgottenUpTo) return undefined;
    return this.events.filter((event) => event.resourceVersion > resourceVersion);
  }

  compact(resourceVersion: number): void {
    this.drop(this.events.filter((event) => event.resourceVersion <= resourceVersion).length);
    this.forgottenUpTo = Math.max(this.forgottenUpTo, resourceVersion);
  }

  /** What the resource was at that version, from what it is now. */
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
