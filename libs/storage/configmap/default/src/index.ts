import 'reflect-metadata'; // tsyringe refuses to load without it

export { StandaloneConfigMapManager, createStandaloneConfigMapManager } from './standalone-configmap-manager.js';
export { configmapModule } from './standalone-configmap-manager.module.js';
