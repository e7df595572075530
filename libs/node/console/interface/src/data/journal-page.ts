import type { DecisionKind, JournalEntry } from '@podwright/journal-interface';

export interface JournalQuery {
  readonly kinds?: readonly DecisionKind[];
  readonly podUid?: string;
  /** Unix milliseconds; this instant included. */
  readonly sinceMs?: number;
  /** Unix milliseconds; this instant not included. */
  readonly untilMs?: number;
  /** Only entries before the one of this number: the last of the page before. */
  readonly beforeSeq?: number;
  /** 1 to 1000. */
  readonly limit: number;
}

export interface JournalPage {
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  /** There are older ones. */
  readonly more: boolean;
}
