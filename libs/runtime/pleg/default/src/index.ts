export { GenericPleg, genericPlegNeeds } from './generic-pleg.js';
export { genericPlegConfigSchema } from './generic-pleg-config.js';
export type { GenericPlegConfig } from './generic-pleg-config.js';
export { createGenericPleg, genericPlegModule } from './generic-pleg.module.js';
