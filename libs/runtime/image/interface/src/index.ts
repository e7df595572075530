export { IMAGE_MANAGER } from './image-manager.js';
export type { EnsureImageRequest, ImageManager } from './image-manager.js';
export { IMAGE_PULL_PROGRESS } from './image-pull-progress.js';
export type { ImagePullProgress, PullInProgress } from './image-pull-progress.js';
