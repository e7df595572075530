export { EVENT_RECORDER } from './event-recorder.js';
export type { EventObject, EventRecorder, EventType } from './event-recorder.js';
export { RECENT_EVENTS } from './recent-events.js';
export type { RecentEvents, RecordedEvent } from './recent-events.js';
