export { LocalApi } from './local-api.js';
export { localApiConfig } from './local-api-config.js';
export type { LocalApiConfig } from './local-api-config.js';
export { localApiNeeds } from './local-api-needs.js';
export type { LocalApiNeeds } from './local-api-needs.js';
export { createLocalApi, localApiModule } from './local-api.module.js';
