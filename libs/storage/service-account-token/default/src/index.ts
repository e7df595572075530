import 'reflect-metadata'; // tsyringe refuses to load without it

export { ApiServiceAccountTokens, createApiServiceAccountTokens } from './api-service-account-tokens.js';
export type { ApiServiceAccountTokensDeps } from './api-service-account-tokens.js';
export { apiServiceAccountTokenModule } from './api-service-account-tokens.module.js';
export {
  createStandaloneServiceAccountTokens,
  StandaloneServiceAccountTokens,
} from './standalone-service-account-tokens.js';
export { serviceAccountTokenModule } from './standalone-service-account-tokens.module.js';
