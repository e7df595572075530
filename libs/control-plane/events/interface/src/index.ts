export { EVENT_RECORDER } from './event-recorder.js';
export type { EventObject, EventRecorder, EventType } from './event-recorder.js';
