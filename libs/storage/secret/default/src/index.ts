import 'reflect-metadata'; // tsyringe refuses to load without it

export { StandaloneSecretManager, createStandaloneSecretManager } from './standalone-secret-manager.js';
export { secretModule } from './standalone-secret-manager.module.js';
