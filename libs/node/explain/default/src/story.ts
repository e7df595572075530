import type { DecisionKind, JournalEntry } from '@podwright/journal-interface';

const ofKind =
  <K extends DecisionKind>(kind: K) =>
  (entry: JournalEntry): entry is JournalEntry<K> =>
    entry.kind === kind;

/** Entries in the order of their numbers, and the questions that the steps ask. */
export class Story {
  constructor(readonly entries: readonly JournalEntry[]) {}

  all<K extends DecisionKind>(
    kind: K,
    fits: (entry: JournalEntry<K>) => boolean = () => true,
  ): readonly JournalEntry<K>[] {
    return this.entries.filter(ofKind(kind)).filter(fits);
  }

  first<K extends DecisionKind>(kind: K, fits?: (entry: JournalEntry<K>) => boolean): JournalEntry<K> | undefined {
    return this.all(kind, fits)[0];
  }

  last<K extends DecisionKind>(kind: K, fits?: (entry: JournalEntry<K>) => boolean): JournalEntry<K> | undefined {
    return this.all(kind, fits).at(-1);
  }

  /** The last failure that no success followed, with the first of its row. */
  failing<K extends DecisionKind>(
    failures: readonly JournalEntry<K>[],
    success: JournalEntry | undefined,
  ): { readonly first: JournalEntry<K>; readonly last: JournalEntry<K>; readonly times: number } | undefined {
    const since = failures.filter((failure) => isNewer(failure, success));
    const [first] = since;
    const last = since.at(-1);
    return first && last && { first, last, times: since.length };
  }
}

/** Whether an entry is there and no older than the other one, which may be absent. */
export function isNewer(entry: JournalEntry | undefined, other: JournalEntry | undefined): boolean {
  return (entry?.seq ?? -1) > (other?.seq ?? -1);
}

/**
 * The entries of the pod's present life: a static pod keeps its UID when it is removed and comes again. Entries about
 * the node stay.
 */
export function presentLife(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const ended = entries.findLast(ofKind('pod.ended'));
  const again = entries.find(
    (entry) => entry.kind === 'pod.received' && entry.operation === 'add' && isNewer(entry, ended),
  );
  if (ended === undefined || again === undefined) return entries;
  return entries.filter((entry) => !('pod' in entry) || entry.seq >= again.seq);
}
