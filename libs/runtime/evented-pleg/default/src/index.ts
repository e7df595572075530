export { EventedPleg, eventedPlegNeeds } from './evented-pleg.js';
export { eventedPlegConfigSchema } from './evented-pleg-config.js';
export type { EventedPlegConfig } from './evented-pleg-config.js';
export { createEventedPleg, eventedPlegModule } from './evented-pleg.module.js';
