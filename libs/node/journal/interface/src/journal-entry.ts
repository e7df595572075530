import type { DecisionKind, DecisionOf } from './decision.js';

/** A decision with its place in the journal. */
export type JournalEntry<K extends DecisionKind = DecisionKind> = DecisionOf<K> & {
  /**
   * Larger than that of every earlier entry, those of earlier processes included unless the wall clock was set back in
   * between. Not consecutive.
   */
  readonly seq: number;
  /** When it was reported: wall clock, Unix milliseconds. */
  readonly atMs: number;
  /** True: it was too large, so long texts and lists in it are cut. */
  readonly cut?: true;
};
