export { SERVER_AUTH } from './server-auth.js';
export type { AccessAttributes, AccessDecision, RequestCredentials, ServerAuth, UserInfo } from './server-auth.js';
