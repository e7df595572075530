export { admissionNeeds, NodeAdmission } from './node-admission.js';
export type { AdmissionNeeds } from './node-admission.js';
export { nodeAdmissionConfigSchema } from './node-admission-config.js';
export type { NodeAdmissionConfig } from './node-admission-config.js';
export { admissionModule, createNodeAdmission } from './node-admission.module.js';
