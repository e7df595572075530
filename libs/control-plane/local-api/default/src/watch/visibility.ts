import type { ApiObject } from '@podwright/api-machinery';

/** A change of an object, before a client's selection. `previous`: the object before, if that is known. */
export interface ObjectChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
  readonly previous?: ApiObject | undefined;
}

/**
 * What a client of a watch believes to be in its selection. A change that moves an object into or out of it is ADDED or
 * DELETED for that client.
 */
export class Visibility {
  /** By UID. */
  private readonly seen = new Map<string, boolean>();

  /** `inScope`: whether namespace and name, which never change, allow the object to be selected at all. */
  constructor(
    private readonly matches: (object: ApiObject) => boolean,
    private readonly inScope: (object: ApiObject) => boolean,
  ) {}

  /** The client knows the current objects. Those that have changed since the version that it knows are told apart. */
  knows(current: readonly ApiObject[]): void {
    for (const object of current) {
      const uid = object.metadata.uid ?? '';
      if (!this.seen.has(uid)) this.seen.set(uid, this.matches(object));
    }
  }

  /** The change for the client; undefined: none. */
  change({ type, object, previous }: ObjectChange): ObjectChange | undefined {
    if (!this.inScope(object)) return undefined;
    const uid = object.metadata.uid ?? '';
    // Of two mistakes, telling of an object that the client does not have is the harmless one.
    const unknown = previous === undefined ? type !== 'ADDED' : this.matches(previous);
    const before = this.seen.get(uid) ?? unknown;
    const now = type !== 'DELETED' && this.matches(object);
    if (type === 'DELETED') this.seen.delete(uid);
    else this.seen.set(uid, now);
    if (!now) return before ? { type: 'DELETED', object } : undefined;
    return { type: before ? 'MODIFIED' : 'ADDED', object };
  }
}
