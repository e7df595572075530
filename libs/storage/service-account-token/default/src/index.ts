export { apiServiceAccountTokenNeeds, ApiServiceAccountTokens } from './api-service-account-tokens.js';
export type { ApiServiceAccountTokenNeeds } from './api-service-account-tokens.js';
export { apiServiceAccountTokenModule, createApiServiceAccountTokens } from './api-service-account-tokens.module.js';
export { StandaloneServiceAccountTokens } from './standalone-service-account-tokens.js';
export {
  createStandaloneServiceAccountTokens,
  serviceAccountTokenModule,
} from './standalone-service-account-tokens.module.js';
