import 'reflect-metadata'; // tsyringe refuses to load without it

export { createProbeManager } from './create-probe-manager.js';
export type { ProbeManagerDeps, ProbeManagerParts } from './create-probe-manager.js';
export { createProbers } from './probers/network-probers.js';
export type { ProbersDeps } from './probers/network-probers.js';
export { probersModule } from './probers/probers.module.js';
export { WorkerProbeManager } from './worker-probe-manager.js';
export { probeModule } from './worker-probe-manager.module.js';
