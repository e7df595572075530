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
  toldAtMs: number;
  /** Which of the lives of its container was told of it. */
  life: number;
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
  /** How often each container was created. */
  private readonly lives: LruMap<number>;

  constructor(
    private readonly aggregationMs: number,
    maxEvents: number,
  ) {
    this.events = new LruMap(maxEvents);
    this.lives = new LruMap(maxEvents);
  }

  /** Counts the event; `tell`: a log line is due. */
  observe(facts: EventFacts, nowMs: number): { readonly event: CountedEvent; readonly tell: boolean } {
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
    const life = this.lifeOf(facts);
    const known = this.events.get(key);
    if (known === undefined) {
      const event: CountedEvent = {
        ...facts,
        firstAtMs: nowMs,
        lastAtMs: nowMs,
        count: 1,
        untold: 1,
        toldAtMs: nowMs,
        life,
        remembered: false,
      };
      this.events.set(key, event);
      return { event, tell: true };
    }
    known.count++;
    known.untold++;
    known.lastAtMs = nowMs;
    // A clock that was set back must not silence an event for long.
    const tell = known.life !== life || nowMs - known.toldAtMs >= this.aggregationMs || nowMs < known.toldAtMs;
    if (tell) Object.assign(known, { toldAtMs: nowMs, life });
    return { event: known, tell };
  }

  /** Events with repetitions that are not logged yet, least recently seen first. */
  untold(): readonly CountedEvent[] {
    return [...this.events].map(([, event]) => event).filter(({ untold }) => untold > 0);
  }

  private lifeOf({ podUid, fieldPath, reason }: EventFacts): number {
    const container = `${podUid} ${fieldPath}`;
    const before = this.lives.get(container) ?? 0;
    if (reason !== newContainerReason) return before;
    this.lives.set(container, before + 1);
    return before + 1;
  }
}
