import 'reflect-metadata'; // tsyringe refuses to load without it
export { createPodRelist, ListingPodRelist } from './listing-pod-relist.js';
export type { ListingPodRelistDeps } from './listing-pod-relist.js';
export { LISTING_POD_RELIST_CONFIG, listingPodRelistConfigSchema } from './listing-pod-relist-config.js';
export type { ListingPodRelistConfig } from './listing-pod-relist-config.js';
export { podRelistModule } from './listing-pod-relist.module.js';
