import { podUidsOf, type DecisionKind } from './decision.js';
import type { JournalEntry } from './journal-entry.js';

/** Which entries are wanted: all fields that are given must fit. */
export interface JournalFilter<K extends DecisionKind = DecisionKind> {
  readonly podUid?: string;
  readonly kinds?: readonly K[];
  /** Unix milliseconds; this instant included. */
  readonly sinceMs?: number;
  /** Unix milliseconds; this instant not included. */
  readonly untilMs?: number;
  /** Only entries after the one of this number. */
  readonly afterSeq?: number;
}

/** Whether an entry is one that the filter wants. */
export function fitsFilter<K extends DecisionKind>(
  entry: JournalEntry,
  { podUid, kinds, sinceMs, untilMs, afterSeq }: JournalFilter<K>,
): entry is JournalEntry<K> {
  return (
    (afterSeq === undefined || entry.seq > afterSeq) &&
    (sinceMs === undefined || entry.atMs >= sinceMs) &&
    (untilMs === undefined || entry.atMs < untilMs) &&
    (kinds === undefined || (kinds as readonly DecisionKind[]).includes(entry.kind)) &&
    (podUid === undefined || podUidsOf(entry).includes(podUid))
  );
}
