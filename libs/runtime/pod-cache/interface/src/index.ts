export { POD_CACHE, POD_CACHE_WRITER } from './pod-cache.js';
export type { PodCache, PodCacheWriter } from './pod-cache.js';
