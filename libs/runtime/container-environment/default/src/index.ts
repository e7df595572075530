import 'reflect-metadata'; // tsyringe refuses to load without it
export { ApiServices, createApiServices } from './api-services.js';
export { apiServicesModule } from './api-services.module.js';
export { createLocalContainerEnvironment, LocalContainerEnvironment } from './local-container-environment.js';
export type { LocalContainerEnvironmentDeps } from './local-container-environment.js';
export {
  LOCAL_CONTAINER_ENVIRONMENT_CONFIG,
  localContainerEnvironmentConfigSchema,
} from './local-container-environment-config.js';
export type { LocalContainerEnvironmentConfig } from './local-container-environment-config.js';
export { localContainerEnvironmentModule } from './local-container-environment.module.js';
export { noServices } from './no-services.js';
export { noServicesModule } from './no-services.module.js';
