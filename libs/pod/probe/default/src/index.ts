export { probeNeeds } from './probe-needs.js';
export type { ProbeNeeds } from './probe-needs.js';
export { createProbers, probersNeeds } from './probers/network-probers.js';
export type { ProbersNeeds } from './probers/network-probers.js';
export { probersModule } from './probers/probers.module.js';
export { WorkerProbeManager } from './worker-probe-manager.js';
export { createProbeManager, probeModule } from './worker-probe-manager.module.js';
export type { ProbeManagerParts } from './worker-probe-manager.module.js';
export { probeHousekeepingModule } from './probe-housekeeping.module.js';
