import 'reflect-metadata'; // tsyringe refuses to load without it
export { createEventedPleg, EventedPleg } from './evented-pleg.js';
export type { EventedPlegDeps } from './evented-pleg.js';
export { EVENTED_PLEG_CONFIG, eventedPlegConfigSchema } from './evented-pleg-config.js';
export type { EventedPlegConfig } from './evented-pleg-config.js';
export { eventedPlegModule } from './evented-pleg.module.js';
