export { KeyringImageCredentials, keyringImageCredentialsNeeds } from './keyring-image-credentials.js';
export { keyringImageCredentialsConfigSchema } from './keyring-image-credentials-config.js';
export type { KeyringImageCredentialsConfig } from './keyring-image-credentials-config.js';
export { createKeyringImageCredentials, keyringImageCredentialsModule } from './keyring-image-credentials.module.js';
