import 'reflect-metadata'; // tsyringe refuses to load without it
export { createDefaultContainerRef, DefaultContainerRef } from './default-container-ref.js';
export type { DefaultContainerRefDeps } from './default-container-ref.js';
export { DEFAULT_CONTAINER_REF_CONFIG, defaultContainerRefConfigSchema } from './default-container-ref-config.js';
export type { DefaultContainerRefConfig } from './default-container-ref-config.js';
export { defaultContainerRefModule } from './default-container-ref.module.js';
