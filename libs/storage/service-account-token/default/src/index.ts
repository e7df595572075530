import 'reflect-metadata'; // tsyringe refuses to load without it
export { createDefaultServiceAccountToken, DefaultServiceAccountToken } from './default-service-account-token.js';
export type { DefaultServiceAccountTokenDeps } from './default-service-account-token.js';
export {
  DEFAULT_SERVICE_ACCOUNT_TOKEN_CONFIG,
  defaultServiceAccountTokenConfigSchema,
} from './default-service-account-token-config.js';
export type { DefaultServiceAccountTokenConfig } from './default-service-account-token-config.js';
export { defaultServiceAccountTokenModule } from './default-service-account-token.module.js';
