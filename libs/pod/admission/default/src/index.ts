import 'reflect-metadata'; // tsyringe refuses to load without it

export { createNodeAdmission } from './create-node-admission.js';
export type { NodeAdmissionDeps } from './create-node-admission.js';
export { NodeAdmission } from './node-admission.js';
export { NODE_ADMISSION_CONFIG, nodeAdmissionConfigSchema } from './node-admission-config.js';
export type { NodeAdmissionConfig } from './node-admission-config.js';
export { admissionModule } from './node-admission.module.js';
export { admissionHandlersModule } from './handlers/admission-handlers.module.js';
export { createAdmissionHandlers } from './handlers/stage-handlers.js';
export { createPluginResources } from './handlers/resource-adjustments.js';
