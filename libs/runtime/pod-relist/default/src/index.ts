export { ListingPodRelist, podRelistNeeds } from './listing-pod-relist.js';
export { listingPodRelistConfigSchema } from './listing-pod-relist-config.js';
export type { ListingPodRelistConfig } from './listing-pod-relist-config.js';
export { createPodRelist, podRelistModule } from './listing-pod-relist.module.js';
