import 'reflect-metadata'; // tsyringe refuses to load without it
export { withDefaultTag } from './default-tag.js';
export { createPullingImageManager, PullingImageManager } from './pulling-image-manager.js';
export type { PullingImageManagerDeps } from './pulling-image-manager.js';
export { PULLING_IMAGE_MANAGER_CONFIG, pullingImageManagerConfigSchema } from './pulling-image-manager-config.js';
export type { PullingImageManagerConfig } from './pulling-image-manager-config.js';
export { pullingImageManagerModule } from './pulling-image-manager.module.js';
