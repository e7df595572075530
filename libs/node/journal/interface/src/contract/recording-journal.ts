import { podUidsOf, type Decision, type DecisionKind, type DecisionOf } from '../decision.js';
import type { Journal } from '../journal.js';

/** Keeps all that is reported, for specs of managers. */
export class RecordingJournal implements Journal {
  readonly decisions: Decision[] = [];

  report(decision: Decision): void {
    this.decisions.push(decision);
  }

  /** Those of one kind, in order. */
  of<K extends DecisionKind>(kind: K): readonly DecisionOf<K>[] {
    return this.decisions.filter((decision): decision is DecisionOf<K> => decision.kind === kind);
  }

  /** The kinds of all, in order; those about one pod when a UID is given. */
  kinds(podUid?: string): readonly DecisionKind[] {
    const wanted =
      podUid === undefined ? this.decisions : this.decisions.filter((one) => podUidsOf(one).includes(podUid));
    return wanted.map(({ kind }) => kind);
  }
}
