export { NodeAdmission, createNodeAdmission } from './node-admission.js';
export { admissionModule } from './node-admission.module.js';
