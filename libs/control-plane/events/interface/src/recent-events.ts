import { createToken } from '@podwright/assembly-interface';
import type { EventObject, EventType } from './event-recorder.js';

/** One event and its repetitions about one object. Times are wall-clock milliseconds since 1970. */
export interface RecordedEvent {
  readonly kind: EventObject['kind'];
  /** Empty for an object without a namespace, such as the node. */
  readonly namespace: string;
  readonly name: string;
  /** Empty when the event is not about a pod. */
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

/** Optional ability of a recorder: it keeps the latest events in memory. For command lines and tests. */
export interface RecentEvents {
  /**
   * The latest events, oldest first. A repeated event increments `count` of its entry instead of adding one. The result
   * is a copy: later events do not change it.
   */
  recent(): readonly RecordedEvent[];
}

export const RECENT_EVENTS = createToken<RecentEvents>('kubelet.recent-events/v1');
