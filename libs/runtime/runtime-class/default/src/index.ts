import 'reflect-metadata'; // tsyringe refuses to load without it
export { ConfiguredRuntimeClasses, createConfiguredRuntimeClasses } from './configured-runtime-classes.js';
export {
  CONFIGURED_RUNTIME_CLASSES_CONFIG,
  configuredRuntimeClassesConfigSchema,
} from './configured-runtime-classes-config.js';
export type { ConfiguredRuntimeClassesConfig } from './configured-runtime-classes-config.js';
export { configuredRuntimeClassesModule } from './configured-runtime-classes.module.js';
export { ApiRuntimeClasses, createApiRuntimeClasses } from './api-runtime-classes.js';
export { apiRuntimeClassesModule } from './api-runtime-classes.module.js';
