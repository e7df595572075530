import 'reflect-metadata'; // tsyringe refuses to load without it
export { createKeyringImageCredentials, KeyringImageCredentials } from './keyring-image-credentials.js';
export type { KeyringImageCredentialsDeps } from './keyring-image-credentials.js';
export {
  KEYRING_IMAGE_CREDENTIALS_CONFIG,
  keyringImageCredentialsConfigSchema,
} from './keyring-image-credentials-config.js';
export type { KeyringImageCredentialsConfig } from './keyring-image-credentials-config.js';
export { keyringImageCredentialsModule } from './keyring-image-credentials.module.js';
