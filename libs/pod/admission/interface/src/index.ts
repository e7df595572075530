export { ADMISSION } from './admission.js';
export type { Admission, AdmissionOperation, AdmissionResult } from './admission.js';
export { ADMISSION_HANDLERS } from './admission-handlers.js';
export type { AdmissionHandler, AdmissionHandlers, AdmissionStage } from './admission-handlers.js';
export { PLUGIN_RESOURCES } from './plugin-resources.js';
export type { PluginResourceAdjustment, PluginResources } from './plugin-resources.js';
