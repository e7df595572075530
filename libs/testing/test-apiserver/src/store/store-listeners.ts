import type { ApiObject } from '@podwright/api-machinery';
import type { StoreEvent } from './collection-history.js';

/** Which changes a listener needs to hear; it may hear more. Default: all. */
export interface ListenerInterest {
  /** Changes of one resource, such as `pods`. */
  readonly resource: string;
  /** Only changes of objects that have this value, or had it before the change. */
  readonly field?: SelectedField;
}

/** A field that must have a value, as in the field selector `spec.nodeName=n1`. */
export interface SelectedField {
  readonly name: string;
  readonly value: string;
  readonly of: (object: ApiObject) => string;
}

type Listener = (event: StoreEvent) => void;

interface FieldIndex {
  readonly of: SelectedField['of'];
  readonly byValue: Map<string, Set<Listener>>;
}

/**
 * The listeners of a store, found by what they need. Each node of a cluster watches its own objects by name: without an
 * index, every change would be shown to the watches of all nodes.
 */
export class StoreListeners {
  private readonly ofAll = new Set<Listener>();
  private readonly ofResource = new Map<string, Set<Listener>>();
  private readonly fields = new Map<string, Map<string, FieldIndex>>();

  /** Returns unsubscribe. */
  add(listener: Listener, interest?: ListenerInterest): () => void {
    const listeners = this.listenersWith(interest);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      const field = interest?.field;
      if (field === undefined || listeners.size > 0) return;
      const index = this.fields.get(interest?.resource ?? '')?.get(field.name);
      if (index?.byValue.get(field.value) === listeners) index.byValue.delete(field.value);
    };
  }

  tell(event: StoreEvent): void {
    for (const listener of this.concerned(event)) listener(event);
  }

  // A copy, because a listener may come or go while the others are called.
  private concerned({ resource, object, previous }: StoreEvent): readonly Listener[] {
    const found = [...this.ofAll, ...(this.ofResource.get(resource) ?? [])];
    for (const { of, byValue } of this.fields.get(resource)?.values() ?? []) {
      const now = of(object);
      const before = previous === undefined ? now : of(previous);
      found.push(...(byValue.get(now) ?? []));
      if (before !== now) found.push(...(byValue.get(before) ?? []));
    }
    return found;
  }

  private listenersWith(interest: ListenerInterest | undefined): Set<Listener> {
    if (interest === undefined) return this.ofAll;
    const { resource, field } = interest;
    if (field === undefined) return ensure(this.ofResource, resource, () => new Set());
    const indexes = ensure(this.fields, resource, () => new Map<string, FieldIndex>());
    const { byValue } = ensure(indexes, field.name, () => ({
      of: field.of,
      byValue: new Map<string, Set<Listener>>(),
    }));
    return ensure(byValue, field.value, () => new Set());
  }
}

/** The value of a key, which is made when there is none. */
export function ensure<V>(map: Map<string, V>, key: string, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create();
  map.set(key, made);
  return made;
}
