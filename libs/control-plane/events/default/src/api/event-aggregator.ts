import { LruMap } from '@podwright/cache';
import type { CoreEvent } from '@podwright/kube-types';
import { repetitionKey, similarityKey } from './event-key.js';

interface Similar {
  readonly messages: Set<string>;
  lastAtMs: number;
}

export interface EventAggregatorOptions {
  readonly maxEvents: number;
  readonly intervalMs: number;
  readonly capacity: number;
}

/** The event to send, and the key under which its repetitions are counted. */
export interface Aggregated {
  readonly event: CoreEvent;
  readonly key: string;
}

/**
 * Combines similar events: from the tenth different message about one object with one reason (each within ten minutes
 * of the last), all become one event. Source: kubernetes v1.36
 * staging/src/k8s.io/client-go/tools/record/events_cache.go EventAggregate.
 */
export class EventAggregator {
  private readonly records: LruMap<Similar>;

  constructor(private readonly options: EventAggregatorOptions) {
    this.records = new LruMap(options.capacity);
  }

  aggregate(event: CoreEvent, nowMs: number, combined: () => Pick<CoreEvent, 'metadata'>): Aggregated {
    const group = similarityKey(event);
    let record = this.records.get(group);
    if (record === undefined || nowMs - record.lastAtMs > this.options.intervalMs)
      record = { messages: new Set(), lastAtMs: nowMs };
    const { messages } = record;
    messages.add(event.message ?? '');
    record.lastAtMs = nowMs;
    this.records.set(group, record);
    if (messages.size < this.options.maxEvents) return { event, key: repetitionKey(event) };
    // Remove one message, so that the set does not grow and the next message still exceeds the limit.
    messages.delete(messages.values().next().value as string);
    const message = `(combined from similar events): ${event.message ?? ''}`;
    return { event: { ...event, ...combined(), message }, key: group };
  }
}
