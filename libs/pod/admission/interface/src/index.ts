export { ADMISSION } from './admission.js';
export type { Admission, AdmissionOperation, AdmissionResult } from './admission.js';
export { ADMISSION_CHECKS } from './admission-checks.js';
export type { AdmissionCheck, AdmissionRefusal, AdmissionStage } from './admission-checks.js';
export { PLUGIN_RESOURCE_ADJUSTMENTS } from './plugin-resource-adjustments.js';
export type { PluginResourceAdjustment } from './plugin-resource-adjustments.js';
