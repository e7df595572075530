export { configurationFault } from './configuration-fault.js';
export { DelegatingServerAuth, serverAuthNeeds } from './delegating-server-auth.js';
export type { ServerAuthNeeds } from './delegating-server-auth.js';
export { delegatingServerAuthConfigSchema } from './delegating-server-auth-config.js';
export type { DelegatingServerAuthConfig } from './delegating-server-auth-config.js';
export { createDelegatingServerAuth, serverAuthModule } from './delegating-server-auth.module.js';
