import { createToken } from '@podwright/assembly-interface';
import type { EventType } from './event-recorder.js';

/** One kind of event about one object. Times are wall-clock milliseconds since 1970. */
export interface RecordedEvent {
  readonly kind: 'Pod' | 'Node';
  /** Empty for the node. */
  readonly namespace: string;
  readonly name: string;
  /** Empty for the node. */
  readonly podUid: string;
  /** Empty when the event is about the whole object. */
  readonly fieldPath: string;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** How often it was recorded, 1 or more. */
  readonly count: number;
}

/** Optional ability of a recorder: it remembers what it recorded lately. For command lines and tests. */
export interface RecentEvents {
  /** The last ones, oldest first. A repetition counts up its entry. A copy: later events do not change it. */
  recent(): readonly RecordedEvent[];
}

export const RECENT_EVENTS = createToken<RecentEvents>('kubelet.recent-events/v1');
