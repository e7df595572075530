import type { CoreEvent } from '@podwright/kube-types';
import { repetitionKey, similarityKey } from './event-key.js';
import { LruMap } from './lru-map.js';

interface Similar {
  readonly messages: Set<string>;
  lastAtMs: number;
}

export interface EventAggregatorOptions {
  readonly maxEvents: number;
  readonly intervalMs: number;
  readonly capacity: number;
}

/** What to send, and under which key its repetitions are counted. */
export interface Aggregated {
  readonly event: CoreEvent;
  readonly key: string;
}

/**
 * From the tenth different message about one object with one reason on (within ten minutes of the last), all go into one
 * event. Source: kubernetes v1.36 staging/src/k8s.io/client-go/tools/record/events_cache.go EventAggregate.
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
    // One goes out again, so that the set does not grow and the next message still counts as one too many.
    messages.delete(messages.values().next().value as string);
    const message = `(combined from similar events): ${event.message ?? ''}`;
    return { event: { ...event, ...combined(), message }, key: group };
  }
}
