export { ContainerResources, containerResourcesNeeds } from './container-resources.js';
export type { ContainerResourcesNeeds } from './container-resources.js';
export { containerResourcesModule, createContainerResources } from './container-resources.module.js';
