export { IMAGE_GC } from './image-gc.js';
export type { ImageGc } from './image-gc.js';
