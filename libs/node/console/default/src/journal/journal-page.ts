import type { JournalPage, JournalQuery } from '@podwright/console-interface';
import type { JournalEntry, JournalReader } from '@podwright/journal-interface';

/** The newest entries that fit, newest first. Reads all that fit from disk, and holds one page of them. */
export async function journalPage(
  journal: Pick<JournalReader, 'stored'>,
  { kinds, podUid, sinceMs, untilMs, beforeSeq = Infinity, limit }: JournalQuery,
  signal: AbortSignal | undefined,
): Promise<JournalPage> {
  const filter = {
    ...(kinds !== undefined && { kinds }),
    ...(podUid !== undefined && { podUid }),
    ...(sinceMs !== undefined && { sinceMs }),
    ...(untilMs !== undefined && { untilMs }),
  };
  const last = new LastEntries(limit + 1);
  for await (const entry of journal.stored(filter, signal)) {
    if (entry.seq >= beforeSeq) break;
    last.add(entry);
  }
  const newest = last.newestFirst();
  return { entries: newest.slice(0, limit), more: newest.length > limit };
}

/** A ring of entries. */
class LastEntries {
  private readonly ring: JournalEntry[] = [];
  private next = 0;

  constructor(private readonly most: number) {}

  add(entry: JournalEntry): void {
    this.ring[this.next] = entry;
    this.next = (this.next + 1) % this.most;
  }

  newestFirst(): readonly JournalEntry[] {
    return [...this.ring.slice(this.next), ...this.ring.slice(0, this.next)].reverse();
  }
}
