export { IMAGE_MANAGER } from './image-manager.js';
export type { EnsureImageRequest, ImageManager } from './image-manager.js';
