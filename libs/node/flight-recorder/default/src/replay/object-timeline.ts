import type { RecordedCall } from '@podwright/flight-recorder-interface';

/** A state of an object from an instant on. */
interface Phase {
  readonly fromMs: number;
  readonly state: number;
  /** The call of the kubelet that brought it about; absent when it came by itself. */
  readonly cause: RecordedCall | undefined;
}

// The answer of a look holds at its own instant.
const leastMs = 0.001;
// The runtime's time stamps are of the wall clock.
const clocksDifferMs = 5;

/** What came while a call was underway that brings it about came from that call. */
const isExplained = (known: Phase, atMs: number, cause: RecordedCall | undefined): boolean =>
  known.cause === undefined ? known.fromMs <= (cause?.at ?? atMs) : known.cause.at - clocksDifferMs <= atMs;

/**
 * One sandbox or container of the recorded runtime: from when on it was in which state. A replayed kubelet may look at
 * other instants than the recorded one did. What that one had asked for has happened only when this one has asked, too.
 */
export class ObjectTimeline<Item> {
  /** As a list shows it; of the latest look. */
  item: Item | undefined;
  private phases: Phase[] = [];
  private goneMs = Infinity;
  private removal: RecordedCall | undefined;
  private readonly changes: number[] = [];
  /** The last look that has found it in a state. */
  private readonly looks = new Map<number, number>();

  /** `making`: the call that made it; absent for one that somebody else has made. */
  constructor(
    readonly bornMs: number,
    private readonly given: ReadonlySet<RecordedCall>,
    private readonly making?: RecordedCall,
  ) {}

  /** Somebody has seen it in this state. */
  seen(state: number, atMs: number): void {
    this.looks.set(state, atMs);
    this.reach(state, atMs);
  }

  /**
   * States only grow: created, running, exited; ready, not ready. An earlier instant of a known state counts, but not one
   * before a look that has found it in an earlier state: a runtime tells of an exit some time after it.
   */
  reach(state: number, saidMs: number, cause?: RecordedCall): void {
    const earlier = [...this.looks].flatMap(([seen, lookMs]) => (seen < state ? [lookMs + leastMs] : []));
    const atMs = Math.max(saidMs, ...earlier);
    const known = this.phases.find((phase) => phase.state >= state);
    if (known !== undefined && isExplained(known, atMs, cause)) return;
    this.phases = [...this.phases.filter((phase) => phase.state < state), { fromMs: atMs, state, cause }];
  }

  /** A call about it has ended that may have changed it. */
  changed(atMs: number): void {
    this.changes.push(atMs);
  }

  gone(atMs: number, removal?: RecordedCall): void {
    if (atMs >= this.goneMs) return;
    this.goneMs = atMs;
    this.removal = removal;
  }

  exists(atMs: number): boolean {
    const isGone = this.removal === undefined ? atMs >= this.goneMs : this.given.has(this.removal);
    return !isGone && (this.making === undefined ? atMs >= this.bornMs : this.given.has(this.making));
  }

  /** Its first state before that is known. */
  state(atMs: number): number {
    let state = this.phases[0]?.state ?? 0;
    for (const phase of this.phases) {
      const reached = phase.cause === undefined ? phase.fromMs <= atMs : this.given.has(phase.cause);
      if (!reached) break;
      state = phase.state;
    }
    return state;
  }

  lastChange(atMs: number): number {
    return this.changes.reduce((last, change) => (change <= atMs ? Math.max(last, change) : last), -Infinity);
  }
}
