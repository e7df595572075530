import 'reflect-metadata'; // tsyringe refuses to load without it
export { ContainerResources, createContainerResources } from './container-resources.js';
export type { ContainerResourcesDeps } from './container-resources.js';
export { containerResourcesModule } from './container-resources.module.js';
