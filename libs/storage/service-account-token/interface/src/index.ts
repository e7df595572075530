export { SERVICE_ACCOUNT_TOKENS } from './service-account-token.js';
export type { ServiceAccountToken, ServiceAccountTokens, TokenRequestSpec } from './service-account-token.js';
