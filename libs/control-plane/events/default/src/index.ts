import 'reflect-metadata'; // tsyringe refuses to load without it
export { createLogEventRecorder, LogEventRecorder } from './log-event-recorder.js';
export type { LogEventRecorderDeps } from './log-event-recorder.js';
export { LOG_EVENT_RECORDER_CONFIG, logEventRecorderConfigSchema } from './log-event-recorder-config.js';
export type { LogEventRecorderConfig } from './log-event-recorder-config.js';
export { logEventRecorderModule } from './log-event-recorder.module.js';
