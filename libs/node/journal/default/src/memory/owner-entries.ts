import type { JournalEntry } from '@podwright/journal-interface';

interface Held {
  readonly entry: JournalEntry;
  readonly bytes: number;
}

/** The entries of one pod, or those about the node, oldest first. */
export class OwnerEntries {
  private readonly held: Held[] = [];
  private total = 0;

  get count(): number {
    return this.held.length;
  }

  get bytes(): number {
    return this.total;
  }

  /** Number of the newest entry; 0 when there is none. */
  get newest(): number {
    return this.held.at(-1)?.entry.seq ?? 0;
  }

  add(entry: JournalEntry, bytes: number): void {
    this.held.push({ entry, bytes });
    this.total += bytes;
  }

  /** Drops the oldest until no more than so many entries and bytes are left. Returns how many entries it has dropped. */
  shrink(most: { readonly count: number; readonly bytes: number }): number {
    let dropped = 0;
    let { total } = this;
    while (this.held.length - dropped > most.count || total > most.bytes) {
      const oldest = this.held[dropped];
      if (oldest === undefined) break;
      total -= oldest.bytes;
      dropped++;
    }
    this.held.splice(0, dropped);
    this.total = total;
    return dropped;
  }

  *entries(): Iterable<JournalEntry> {
    for (const { entry } of this.held) yield entry;
  }
}
