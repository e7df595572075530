export { ApiServices, apiServicesNeeds } from './api-services.js';
export { apiServicesModule, createApiServices } from './api-services.module.js';
export { LocalContainerEnvironment, localContainerEnvironmentNeeds } from './local-container-environment.js';
export type { LocalContainerEnvironmentNeeds } from './local-container-environment.js';
export { localContainerEnvironmentConfigSchema } from './local-container-environment-config.js';
export type { LocalContainerEnvironmentConfig } from './local-container-environment-config.js';
export {
  createLocalContainerEnvironment,
  localContainerEnvironmentModule,
} from './local-container-environment.module.js';
export { noServices } from './no-services.js';
export { noServicesModule } from './no-services.module.js';
