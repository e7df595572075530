export { containerGcNeeds, RuntimeContainerGc } from './runtime-container-gc.js';
export type { ContainerGcNeeds } from './runtime-container-gc.js';
export { runtimeContainerGcConfigSchema } from './runtime-container-gc-config.js';
export type { RuntimeContainerGcConfig } from './runtime-container-gc-config.js';
export { containerGcModule, createRuntimeContainerGc } from './container-gc.module.js';
