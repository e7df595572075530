import type { CoreEvent } from '@podwright/kube-types';
import type { Clock } from '@podwright/time';
import { EventAggregator } from './event-aggregator.js';
import { repetitionKey, spamKey } from './event-key.js';
import { LruMap } from './lru-map.js';
import { SpamFilter } from './spam-filter.js';

interface Observation {
  readonly count: number;
  readonly firstTimestamp: string | undefined;
  readonly name: string;
  readonly resourceVersion: string | undefined;
}

export interface ApiEventCorrelatorOptions {
  readonly aggregateAfter: number;
  readonly aggregateIntervalMs: number;
  readonly spamBurst: number;
  readonly spamRefillMs: number;
  readonly maxCorrelated: number;
}

/** Decides whether an event makes a new object, counts up one that is there, or is left out. */
export class ApiEventCorrelator {
  private readonly aggregator: EventAggregator;
  private readonly spam: SpamFilter;
  private readonly observations: LruMap<Observation>;

  constructor(
    private readonly clock: Clock,
    options: ApiEventCorrelatorOptions,
    private readonly combined: (event: CoreEvent) => Pick<CoreEvent, 'metadata'>,
  ) {
    const capacity = options.maxCorrelated;
    this.aggregator = new EventAggregator({
      maxEvents: options.aggregateAfter,
      intervalMs: options.aggregateIntervalMs,
      capacity,
    });
    this.spam = new SpamFilter({ burst: options.spamBurst, refillMs: options.spamRefillMs, capacity });
    this.observations = new LruMap(capacity);
  }

  /** The event to send, with a `count` over 1 when an object of its name is there already; undefined when it is left out. */
  correlate(raw: CoreEvent): CoreEvent | undefined {
    const now = this.clock.monotonic();
    const { event, key } = this.aggregator.aggregate(raw, now, () => this.combined(raw));
    const observed = this.count(event, key);
    // Counted before it is filtered: what passes later carries the number of all.
    return this.spam.accept(spamKey(observed), now) ? observed : undefined;
  }

  /** What the server made of it. */
  update(event: CoreEvent): void {
    this.remember(repetitionKey(event), event);
  }

  private count(event: CoreEvent, key: string): CoreEvent {
    const last = this.observations.get(key);
    const { resourceVersion: _own, ...metadata } = event.metadata;
    const observed: CoreEvent =
      last === undefined
        ? event
        : {
            ...event,
            metadata: {
              ...metadata,
              name: last.name,
              ...(last.resourceVersion !== undefined && { resourceVersion: last.resourceVersion }),
            },
            ...(last.firstTimestamp !== undefined && { firstTimestamp: last.firstTimestamp }),
            count: last.count + 1,
          };
    this.remember(key, observed);
    return observed;
  }

  private remember(key: string, { count = 1, firstTimestamp, metadata }: CoreEvent): void {
    this.observations.set(key, {
      count,
      firstTimestamp,
      name: metadata.name ?? '',
      resourceVersion: metadata.resourceVersion,
    });
  }
}
