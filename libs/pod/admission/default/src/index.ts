import 'reflect-metadata'; // tsyringe refuses to load without it

export { NodeAdmission, createNodeAdmission } from './node-admission.js';
export { admissionModule } from './node-admission.module.js';
