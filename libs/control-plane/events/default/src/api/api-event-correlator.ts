import { LruMap } from '@podwright/cache';
import type { CoreEvent } from '@podwright/kube-types';
import type { Clock } from '@podwright/time';
import { EventAggregator } from './event-aggregator.js';
import { repetitionKey, spamKey } from './event-key.js';
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

/** Decides whether an event creates a new object, increments the count of an existing one, or is dropped. */
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

  /** The event to send, with a `count` above 1 when its object already exists; undefined when it is dropped. */
  correlate(raw: CoreEvent): CoreEvent | undefined {
    const now = this.clock.monotonic();
    const { event, key } = this.aggregator.aggregate(raw, now, () => this.combined(raw));
    const observed = this.count(event, key);
    // Count before the filter, so that a later event includes dropped ones.
    return this.spam.accept(spamKey(observed), now) ? observed : undefined;
  }

  /** Takes the server's answer. */
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
