export { StandaloneSecretManager, createStandaloneSecretManager } from './standalone-secret-manager.js';
export { secretModule } from './standalone-secret-manager.module.js';
