import 'reflect-metadata'; // tsyringe refuses to load without it
export { createGenericPleg, GenericPleg } from './generic-pleg.js';
export type { GenericPlegDeps } from './generic-pleg.js';
export { GENERIC_PLEG_CONFIG, genericPlegConfigSchema } from './generic-pleg-config.js';
export type { GenericPlegConfig } from './generic-pleg-config.js';
export { genericPlegModule } from './generic-pleg.module.js';
