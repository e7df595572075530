import type { RecordedEvent } from '@podwright/events-interface';

export type EventFacts = Omit<RecordedEvent, 'firstAtMs' | 'lastAtMs' | 'count'>;

/** A {@link RecordedEvent} while it is being counted. */
export interface CountedEvent extends EventFacts {
  readonly firstAtMs: number;
  lastAtMs: number;
  count: number;
  /** Part of `count` that no log line has told yet. */
  untold: number;
  /** undefined: the next repetition is told however soon it comes. */
  toldAtMs: number | undefined;
  /** It can be read back. */
  remembered: boolean;
}

/** With it a container begins a life of its own, though its name and the texts about it are those of the one before. */
const newContainerReason = 'Created';

/**
 * Recognises repetitions: same object, type, reason and message. What happens to a new container is told at once, also
 * when the same happened to the one before. Bounded; past the bound the event that was not seen for longest is forgotten
 * and would count as new.
 */
export class EventCorrelator {
  // In order of the last repetition, oldest first.
  private readonly events = new Map<string, CountedEvent>();

  constructor(
    private readonly aggregationMs: number,
    private readonly maxEvents: number,
  ) {}

  /** Counts the event; `tell` when a log line is due. */
  observe(facts: EventFacts, nowMs: number): { readonly event: CountedEvent; readonly tell: boolean } {
    if (facts.reason === newContainerReason) this.beginLife(facts);
    const key = JSON.stringify([
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
      if (this.events.size > this.maxEvents) this.events.delete(this.events.keys().next().value as string);
      return { event, tell: true };
    }
    this.events.delete(key);
    this.events.set(key, known);
    known.count++;
    known.untold++;
    known.lastAtMs = nowMs;
    // A wall clock set back must not silence an event for long.
    const tell = known.toldAtMs === undefined || nowMs - known.toldAtMs >= this.aggregationMs || nowMs < known.toldAtMs;
    if (tell) known.toldAtMs = nowMs;
    return { event: known, tell };
  }

  /** Events with repetitions that no log line has told yet, the one unseen for longest first. */
  untold(): readonly CountedEvent[] {
    return [...this.events.values()].filter(({ untold }) => untold > 0);
  }

  private beginLife({ podUid, fieldPath }: EventFacts): void {
    for (const event of this.events.values())
      if (event.podUid === podUid && event.fieldPath === fieldPath) event.toldAtMs = undefined;
  }
}
