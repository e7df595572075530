export { ConfiguredRuntimeClasses } from './configured-runtime-classes.js';
export { configuredRuntimeClassesConfigSchema } from './configured-runtime-classes-config.js';
export type { ConfiguredRuntimeClassesConfig } from './configured-runtime-classes-config.js';
export { configuredRuntimeClassesModule, createConfiguredRuntimeClasses } from './configured-runtime-classes.module.js';
export { ApiRuntimeClasses, apiRuntimeClassesNeeds } from './api-runtime-classes.js';
export { apiRuntimeClassesModule, createApiRuntimeClasses } from './api-runtime-classes.module.js';
