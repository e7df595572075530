import { createToken } from '@podwright/assembly-interface';
import type { Decision, DecisionKind } from './decision.js';
import type { JournalEntry } from './journal-entry.js';
import type { JournalFilter } from './journal-filter.js';

/**
 * Takes what managers decide. Absent when an assembly omits the journal, so a manager needs it as optional. Upstream has
 * no counterpart: it writes log lines.
 */
export interface Journal {
  /**
   * Adds an entry. Returns at once, never throws, and waits for no disk. The journal keeps the object: do not change it
   * afterwards. A decision that is no JSON is left out.
   */
  report(decision: Decision): void;
}

export const JOURNAL = createToken<Journal>('kubelet.journal/v1');

/** Reads what was reported. All results are in the order of their numbers, oldest first. */
export interface JournalReader {
  /**
   * What is in memory: at least the last entry of each pod of late, and more of each the fewer others there are.
   * Synchronous; the cost is one look at each entry in memory, or at those of the pod when the filter names one.
   */
  recent<K extends DecisionKind = DecisionKind>(filter?: JournalFilter<K>): readonly JournalEntry<K>[];
  /**
   * All that is kept, on disk and in memory, those of earlier processes included. Reads files while it is iterated, a
   * part at a time; end the iteration early to stop. What is reported meanwhile may be missing. Entries that cannot be
   * read are left out. Rejects with the signal's reason.
   */
  stored<K extends DecisionKind = DecisionKind>(
    filter?: JournalFilter<K>,
    signal?: AbortSignal,
  ): AsyncIterable<JournalEntry<K>>;
  /**
   * Calls `listener` with each entry that is reported from now on, while it is reported: the listener must only enqueue.
   * One that throws is logged, and stays. Returns unsubscribe.
   */
  follow<K extends DecisionKind = DecisionKind>(
    listener: (entry: JournalEntry<K>) => void,
    filter?: JournalFilter<K>,
  ): () => void;
}

export const JOURNAL_READER = createToken<JournalReader>('kubelet.journal-reader/v1');
