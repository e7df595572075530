import 'reflect-metadata'; // tsyringe refuses to load without it
export { configurationFault } from './configuration-fault.js';
export { createDelegatingServerAuth, DelegatingServerAuth } from './delegating-server-auth.js';
export type { DelegatingServerAuthDeps } from './delegating-server-auth.js';
export { DELEGATING_SERVER_AUTH_CONFIG, delegatingServerAuthConfigSchema } from './delegating-server-auth-config.js';
export type { DelegatingServerAuthConfig } from './delegating-server-auth-config.js';
export { serverAuthModule } from './delegating-server-auth.module.js';
