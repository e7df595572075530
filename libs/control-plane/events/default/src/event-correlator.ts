import { LruMap } from '@podwright/cache';
import type { RecordedEvent } from '@podwright/events-interface';

export type EventFacts = Omit<RecordedEvent, 'firstAtMs' | 'lastAtMs' | 'count'>;

/** A {@link RecordedEvent} that still counts repetitions. */
export interface CountedEvent extends EventFacts {
  readonly firstAtMs: number;
  lastAtMs: number;
  count: number;
  /** The part of `count` that is not in a log line yet. */
  untold: number;
  /** undefined: the next repetition is logged at once. */
  toldAtMs: number | undefined;
  /** Whether the event can be read back. */
  remembered: boolean;
}

/** This reason marks a new container, whose events look like those of the previous one. */
const newContainerReason = 'Created';

/**
 * Recognizes repetitions: same object, type, reason and message. Logs events of a new container at once, even if its
 * predecessor had the same. Bounded: forgets the least recently seen event, which then counts as new.
 */
export class EventCorrelator {
  private readonly events: LruMap<CountedEvent>;

  constructor(
    private readonly aggregationMs: number,
    maxEvents: number,
  ) {
    this.events = new LruMap(maxEvents);
  }

  /** Counts the event; `tell`: a log line is due. */
  observe(facts: EventFacts, nowMs: number): { readonly event: CountedEvent; readonly tell: boolean } {
    if (facts.reason === newContainerReason) this.beginLife(facts);
    const key = JSON.stringify([
      facts.kind,
      facts.podUid,
      facts.namespace,
      facts.name,
      facts.fieldPath,
      facts.type,
      facts.reason,
      facts.message,
    ]);
    const known = this.events.get(key);
    if (known === undefined) {
      const event: CountedEvent = {
        ...facts,
        firstAtMs: nowMs,
        lastAtMs: nowMs,
        count: 1,
        untold: 1,
        toldAtMs: nowMs,
        remembered: false,
      };
      this.events.set(key, event);
      return { event, tell: true };
    }
    known.count++;
    known.untold++;
    known.lastAtMs = nowMs;
    // A clock that was set back must not silence an event for long.
    const tell = known.toldAtMs === undefined || nowMs - known.toldAtMs >= this.aggregationMs || nowMs < known.toldAtMs;
    if (tell) known.toldAtMs = nowMs;
    return { event: known, tell };
  }

  /** Events with repetitions that are not logged yet, least recently seen first. */
  untold(): readonly CountedEvent[] {
    return [...this.events].map(([, event]) => event).filter(({ untold }) => untold > 0);
  }

  private beginLife({ podUid, fieldPath }: EventFacts): void {
    for (const [, event] of this.events)
      if (event.podUid === podUid && event.fieldPath === fieldPath) event.toldAtMs = undefined;
  }
}
