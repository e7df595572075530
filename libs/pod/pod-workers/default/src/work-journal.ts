import { hasCode, messageOf } from '@podwright/errors';
import type { Journal, JournalPod, PodEnding } from '@podwright/journal-interface';
import type { PodWorkState, UpdatePodOptions } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import type { PodRecord, PodWork } from './pod-record.js';

/** How one turn of a pod's worker went. */
export interface WorkTurn {
  readonly work: PodWork;
  readonly state: PodWorkState;
  /** Monotonic milliseconds. */
  readonly begunAtMs: number;
  readonly outcome: { readonly terminal?: boolean; readonly error?: unknown };
  /** Until the worker looks again; undefined: at once, or never. */
  readonly nextLookMs: number | undefined;
}

/** Reports what workers do to the journal, if there is one. Times of records are monotonic. */
export class WorkJournal {
  private readonly failing = new Map<string, { failures: number; readonly sinceMs: number }>();

  constructor(private readonly deps: { readonly journal?: Journal | undefined; readonly clock: Clock }) {}

  /** `ending`: the update made the pod end. */
  accepted(record: PodRecord, { type }: UpdatePodOptions, ending: boolean): void {
    const pod = podOf(record);
    if (type !== 'sync') this.deps.journal?.report({ kind: 'pod.queued', pod, update: type });
    if (ending) this.ending(record, causeOf(record));
  }

  ending(record: PodRecord, cause: PodEnding['cause']): void {
    const { gracePeriodSeconds } = record;
    const grace = gracePeriodSeconds > 0 && { gracePeriodSeconds };
    this.deps.journal?.report({ kind: 'pod.ending', pod: podOf(record), cause, ...grace });
  }

  waits(record: PodRecord, waitsFor: 'static-pod-name' | 'restart', nextLookMs?: number): void {
    const next = nextLookMs !== undefined && { nextLookAtMs: this.deps.clock.now() + nextLookMs };
    this.deps.journal?.report({ kind: 'pod.waiting', pod: podOf(record), waitsFor, ...next });
  }

  turn(record: PodRecord, { work, state, begunAtMs, outcome, nextLookMs }: WorkTurn): void {
    const { journal, clock } = this.deps;
    const failed = 'error' in outcome;
    const before = this.failing.get(record.uid);
    const cancelled = failed && hasCode(outcome.error, 'cancelled');
    if (!failed) this.failing.delete(record.uid);
    else if (!cancelled) this.countFailure(record.uid, before);
    const isNews = failed || before !== undefined || work.type !== 'sync' || state !== 'sync' || outcome.terminal;
    if (isNews !== true || journal === undefined) return;
    const streak = this.failing.get(record.uid);
    journal.report({
      kind: 'pod.sync',
      pod: podOf(record),
      state,
      ...(work.receivedAtMs !== undefined && { queuedMs: begunAtMs - work.receivedAtMs }),
      durationMs: clock.monotonic() - begunAtMs,
      ...(failed && { error: messageOf(outcome.error) }),
      ...(cancelled && { cancelled }),
      ...(failed && streak !== undefined && { failures: streak.failures, failingSinceMs: streak.sinceMs }),
      ...(nextLookMs !== undefined && { nextLookAtMs: clock.now() + nextLookMs }),
    });
  }

  ended(record: PodRecord): void {
    this.failing.delete(record.uid);
    const { terminatingAtMs: sinceMs } = record;
    const duration = sinceMs !== undefined && { endingMs: this.deps.clock.monotonic() - sinceMs };
    this.deps.journal?.report({ kind: 'pod.ended', pod: podOf(record), ...duration });
  }

  private countFailure(uid: string, before: { failures: number } | undefined): void {
    if (before === undefined) this.failing.set(uid, { failures: 1, sinceMs: this.deps.clock.now() });
    else before.failures++;
  }
}

function causeOf(record: PodRecord): PodEnding['cause'] {
  if (record.deleted) return 'deleted';
  if (record.evicted) return 'evicted';
  return record.pending?.type === 'kill' ? 'killed' : 'finished';
}

/** A full name has the pod's name and its namespace, of which neither has an underscore. */
function podOf({ uid, fullName }: PodRecord): JournalPod {
  const [name = '', namespace = ''] = fullName.split('_');
  return { uid, namespace, name };
}
