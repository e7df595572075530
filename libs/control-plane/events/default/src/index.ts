export { LogEventRecorder, logEventRecorderNeeds } from './log-event-recorder.js';
export { logEventRecorderConfigSchema } from './log-event-recorder-config.js';
export type { LogEventRecorderConfig } from './log-event-recorder-config.js';
export { createLogEventRecorder, logEventRecorderModule } from './log-event-recorder.module.js';
export { ApiEventRecorder, apiEventRecorderNeeds } from './api/api-event-recorder.js';
export { apiEventRecorderConfigSchema } from './api/api-event-recorder-config.js';
export type { ApiEventRecorderConfig } from './api/api-event-recorder-config.js';
export type { ApiEventCorrelatorOptions } from './api/api-event-correlator.js';
export { apiEventRecorderModule, createApiEventRecorder } from './api/api-event-recorder.module.js';
