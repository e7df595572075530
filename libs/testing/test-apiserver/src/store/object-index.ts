import type { ApiObject } from '@podwright/api-machinery';
import { ensure } from './store-listeners.js';
import type { StoreEvent } from './collection-history.js';

/** An object with its place in the store. */
export interface StoredObject {
  readonly resource: string;
  readonly key: string;
  readonly object: ApiObject;
}

/** The values by which an object is found, such as the name of a pod's node, or the uids of an object's owners. */
export type IndexedValues = (object: ApiObject) => readonly string[];

/** Objects by values that they have: without it, each question about one of a thousand nodes would ask all pods. */
export class ObjectIndex {
  private readonly byValue = new Map<string, Map<string, StoredObject>>();

  constructor(private readonly valuesOf: IndexedValues) {}

  /** The objects with the value, in the order in which they got it. */
  find(value: string): readonly StoredObject[] {
    return [...(this.byValue.get(value)?.values() ?? [])];
  }

  count(value: string): number {
    return this.byValue.get(value)?.size ?? 0;
  }

  apply({ type, resource, key, object, previous }: Omit<StoreEvent, 'resourceVersion'>): void {
    const place = `${resource} ${key}`;
    const values = type === 'DELETED' ? [] : this.valuesOf(object);
    for (const old of previous === undefined ? [] : this.valuesOf(previous)) {
      if (values.includes(old)) continue;
      const found = this.byValue.get(old);
      found?.delete(place);
      if (found?.size === 0) this.byValue.delete(old);
    }
    for (const value of values) ensure(this.byValue, value, () => new Map()).set(place, { resource, key, object });
  }
}
