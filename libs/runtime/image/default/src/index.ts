export { withDefaultTag } from './default-tag.js';
export { PullingImageManager, pullingImageManagerNeeds } from './pulling-image-manager.js';
export { pullingImageManagerConfigSchema } from './pulling-image-manager-config.js';
export type { PullingImageManagerConfig } from './pulling-image-manager-config.js';
export { createPullingImageManager, pullingImageManagerModule } from './pulling-image-manager.module.js';
