export { PLEG } from './pleg.js';
export type { Pleg, PodLifecycleEvent } from './pleg.js';
export { RELIST_CONTROL } from './relist-control.js';
export type { RelistControl, RelistOptions } from './relist-control.js';
