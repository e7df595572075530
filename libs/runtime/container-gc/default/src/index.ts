import 'reflect-metadata'; // tsyringe refuses to load without it
export { createRuntimeContainerGc, RuntimeContainerGc } from './runtime-container-gc.js';
export type { RuntimeContainerGcDeps } from './runtime-container-gc.js';
export { RUNTIME_CONTAINER_GC_CONFIG, runtimeContainerGcConfigSchema } from './runtime-container-gc-config.js';
export type { RuntimeContainerGcConfig } from './runtime-container-gc-config.js';
export { containerGcModule } from './container-gc.module.js';
