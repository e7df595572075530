export { ExpiringCache } from './expiring-cache.js';
export { LruMap } from './lru-map.js';
