import {
  fitsFilter,
  podUidsOf,
  type DecisionKind,
  type JournalEntry,
  type JournalFilter,
} from '@podwright/journal-interface';
import { OwnerEntries } from './owner-entries.js';
import { waterLevel } from './water-level.js';

export interface RecentEntriesOptions {
  readonly maxEntries: number;
  readonly maxMemoryBytes: number;
  readonly entriesPerPod: number;
}

const node = '';
const nodeShare = 8;
// Shrinking looks at every pod, so it makes room for more than one entry.
const keptShare = 0.9;
// A pod with fewer entries tells nothing any more; it goes as a whole, the one that was quiet for longest first.
const fewestEntries = 4;

/**
 * The entries in memory. Each pod has its own, so that a noisy one cannot push out what is known of the others. When
 * there is no more room, those with the most give the most, and pods that have long been quiet go.
 */
export class RecentEntries {
  private readonly owners = new Map<string, OwnerEntries>();
  private count = 0;
  private bytes = 0;

  constructor(private readonly options: RecentEntriesOptions) {}

  add(entry: JournalEntry, bytes: number): void {
    const uids = podUidsOf(entry);
    for (const uid of uids.length === 0 ? [node] : uids) this.addTo(uid, entry, bytes);
    const { maxEntries, maxMemoryBytes } = this.options;
    if (this.count > maxEntries || this.bytes > maxMemoryBytes) this.shrink();
  }

  /** In the order of their numbers. */
  find<K extends DecisionKind>(filter: JournalFilter<K>): readonly JournalEntry<K>[] {
    const { podUid } = filter;
    const found: JournalEntry<K>[] = [];
    if (podUid !== undefined) {
      for (const entry of this.owners.get(podUid)?.entries() ?? []) if (fitsFilter(entry, filter)) found.push(entry);
      return found;
    }
    // An eviction stands under several pods.
    const seen = new Set<number>();
    for (const owner of this.owners.values()) {
      for (const entry of owner.entries()) {
        if (seen.has(entry.seq) || !fitsFilter(entry, filter)) continue;
        seen.add(entry.seq);
        found.push(entry);
      }
    }
    return found.sort((left, right) => left.seq - right.seq);
  }

  private addTo(uid: string, entry: JournalEntry, bytes: number): void {
    let owner = this.owners.get(uid);
    if (owner === undefined) {
      owner = new OwnerEntries();
      this.owners.set(uid, owner);
    }
    owner.add(entry, bytes);
    this.count++;
    this.bytes += bytes;
    const { entriesPerPod } = this.options;
    this.cut(owner, { count: uid === node ? nodeShare * entriesPerPod : entriesPerPod, bytes: Infinity });
  }

  private cut(owner: OwnerEntries, most: { readonly count: number; readonly bytes: number }): void {
    const before = owner.bytes;
    this.count -= owner.shrink(most);
    this.bytes -= before - owner.bytes;
  }

  private shrink(): void {
    const maxEntries = keptShare * this.options.maxEntries;
    const maxBytes = keptShare * this.options.maxMemoryBytes;
    this.dropQuietest(Math.max(1, Math.floor(maxEntries / fewestEntries)));
    const owners = [...this.owners.values()];
    const counts = owners.map(({ count }) => count);
    const most = { count: Math.max(1, Math.floor(waterLevel(counts, maxEntries))), bytes: Infinity };
    for (const owner of owners) this.cut(owner, most);
    const sizes = owners.map(({ bytes }) => bytes);
    const level = waterLevel(sizes, maxBytes);
    for (const owner of owners) this.cut(owner, { count: Infinity, bytes: level });
  }

  private dropQuietest(mostOwners: number): void {
    if (this.owners.size <= mostOwners) return;
    const quietestFirst = [...this.owners].sort(([, left], [, right]) => left.newest - right.newest);
    for (const [uid, owner] of quietestFirst.slice(0, this.owners.size - mostOwners)) {
      this.cut(owner, { count: 0, bytes: 0 });
      this.owners.delete(uid);
    }
  }
}
