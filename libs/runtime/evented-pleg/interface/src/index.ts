export { CACHE_VOUCHING } from './cache-vouching.js';
export type { CacheVouching } from './cache-vouching.js';
export { EVENT_STREAM } from './event-stream.js';
export type { EventStream, EventStreamState } from './event-stream.js';
export { RUNTIME_VIEW } from './runtime-view.js';
export type { RuntimeView } from './runtime-view.js';
