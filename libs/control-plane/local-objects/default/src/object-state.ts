import { KubeletError } from '@podwright/errors';
import type {
  LocalObject,
  LocalObjectChange,
  LocalObjectKind,
  LocalObjectList,
  LocalObjectOf,
} from '@podwright/local-objects-interface';
import { keyOf, keyOfObject } from './object-key.js';

interface Entry {
  readonly kind: LocalObjectKind;
  readonly object: LocalObject;
  readonly bytes: number;
}

/** A change, and the bytes of its object as JSON. */
export interface SizedChange {
  readonly change: LocalObjectChange;
  readonly bytes: number;
}

export interface StateLimits {
  readonly maxObjects: number;
  readonly maxBytes: number;
}

/** What history holds at most, so that a watch may begin in the past. */
const history = { changes: 1000, bytes: 16 * 2 ** 20 };

/** The objects as readers see them, and the latest changes. */
export class ObjectState {
  private readonly entries = new Map<string, Entry>();
  private readonly lists = new Map<LocalObjectKind, readonly LocalObject[]>();
  private readonly past: SizedChange[] = [];
  private pastBytes = 0;
  private sizeBytes = 0;

  /** `version`: that of the last change. History begins after it. */
  constructor(
    public version: number,
    private oldestVersion = version,
  ) {}

  get<K extends LocalObjectKind>(kind: K, namespace: string, name: string): LocalObjectOf<K> | undefined {
    return this.entries.get(keyOf(kind, namespace, name))?.object as LocalObjectOf<K> | undefined;
  }

  /** @throws KubeletError `resource-exhausted`; never for changes that leave less than there was. */
  requireSpace(changes: readonly SizedChange[], limits: StateLimits): void {
    const added = changes.map(({ change }) => ({ ADDED: 1, MODIFIED: 0, DELETED: -1 })[change.type]);
    requireLimit(this.entries.size, sum(added), { unit: 'objects', option: 'maxObjects', most: limits.maxObjects });
    const bytes = new Map(changes.map((sized) => [keyOfObject(sized.change.kind, sized.change.object), sized]));
    const grown = [...bytes].map(
      ([key, sized]) => (sized.change.type === 'DELETED' ? 0 : sized.bytes) - (this.entries.get(key)?.bytes ?? 0),
    );
    requireLimit(this.sizeBytes, sum(grown), { unit: 'bytes', option: 'maxBytes', most: limits.maxBytes });
  }

  list<K extends LocalObjectKind>(kind: K): LocalObjectList<K> {
    let items = this.lists.get(kind);
    if (items === undefined) {
      const found = [...this.entries.values()].filter((entry) => entry.kind === kind);
      items = found.map(({ object }) => object).sort(byCreation);
      this.lists.set(kind, items);
    }
    return { items: items as readonly LocalObjectOf<K>[], resourceVersion: String(this.version) };
  }

  since<K extends LocalObjectKind>(kind: K, resourceVersion: string): readonly LocalObjectChange<K>[] | undefined {
    const version = /^\d+$/.test(resourceVersion) ? Number(resourceVersion) : NaN;
    if (!(version >= this.oldestVersion && version <= this.version)) return undefined;
    const changes = this.past.map(({ change }) => change);
    const wanted = changes.filter((change) => change.kind === kind && Number(change.resourceVersion) > version);
    return wanted as LocalObjectChange[] as LocalObjectChange<K>[];
  }

  /** Adds what was there before this process. */
  load(kind: LocalObjectKind, object: LocalObject, bytes: number): void {
    this.set(keyOfObject(kind, object), { kind, object, bytes });
  }

  apply(changes: readonly SizedChange[]): void {
    for (const { change, bytes } of changes) {
      const { type, kind, object, resourceVersion } = change;
      const key = keyOfObject(kind, object);
      this.set(key, type === 'DELETED' ? undefined : { kind, object, bytes });
      this.lists.delete(kind);
      this.version = Number(resourceVersion);
      this.past.push({ change, bytes });
      this.pastBytes += bytes;
    }
    this.forgetOldest();
  }

  private set(key: string, entry: Entry | undefined): void {
    this.sizeBytes += (entry?.bytes ?? 0) - (this.entries.get(key)?.bytes ?? 0);
    if (entry === undefined) this.entries.delete(key);
    else this.entries.set(key, entry);
  }

  private forgetOldest(): void {
    let forgotten = 0;
    while (this.past.length - forgotten > history.changes || this.pastBytes > history.bytes) {
      const oldest = this.past[forgotten];
      if (oldest === undefined) break;
      this.pastBytes -= oldest.bytes;
      this.oldestVersion = Number(oldest.change.resourceVersion);
      forgotten += 1;
    }
    this.past.splice(0, forgotten);
  }
}

function requireLimit(now: number, more: number, limit: { unit: string; option: string; most: number }): void {
  const { unit, option, most } = limit;
  if (more <= 0 || now + more <= most) return;
  throw new KubeletError(`the store would have ${now + more} ${unit}, but may have ${most} (${option})`, {
    code: 'resource-exhausted',
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function byCreation(a: LocalObject, b: LocalObject): number {
  const [left, right] = [a.metadata ?? {}, b.metadata ?? {}];
  return (
    compare(left.creationTimestamp, right.creationTimestamp) ||
    compare(left.namespace, right.namespace) ||
    compare(left.name, right.name)
  );
}

const compare = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);
