import 'reflect-metadata'; // tsyringe refuses to load without it
export { createLogEventRecorder, LogEventRecorder } from './log-event-recorder.js';
export type { LogEventRecorderDeps } from './log-event-recorder.js';
export { LOG_EVENT_RECORDER_CONFIG, logEventRecorderConfigSchema } from './log-event-recorder-config.js';
export type { LogEventRecorderConfig } from './log-event-recorder-config.js';
export { logEventRecorderModule } from './log-event-recorder.module.js';
export { ApiEventRecorder, createApiEventRecorder } from './api/api-event-recorder.js';
export type { ApiEventRecorderDeps } from './api/api-event-recorder.js';
export { API_EVENT_RECORDER_CONFIG, apiEventRecorderConfigSchema } from './api/api-event-recorder-config.js';
export type { ApiEventRecorderConfig } from './api/api-event-recorder-config.js';
export type { ApiEventCorrelatorOptions } from './api/api-event-correlator.js';
export { apiEventRecorderModule } from './api/api-event-recorder.module.js';
